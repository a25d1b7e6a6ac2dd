//! Pages about a command line, made from the definitions of its commands: the reference, shell completions, man pages.

mod reference;

pub use reference::page;

use clap::Command;
use clap_complete::{Shell, generate_to};
use std::fs::create_dir_all;
use std::io::Result;
use std::path::Path;

/// Writes `completions` with a file for bash, zsh and fish, and `man` with a page for every verb that is not hidden, to a folder.
pub fn write_packaging(program: &Command, folder: &Path) -> Result<()> {
    let (completions, man) = (folder.join("completions"), folder.join("man"));
    create_dir_all(&completions)?;
    create_dir_all(&man)?;
    let mut program = program.clone().disable_help_subcommand(true);
    program.build();
    let name = program.get_name().to_string();
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        generate_to(shell, &mut program, &name, &completions)?;
    }
    clap_mangen::generate_to(program, &man)
}
