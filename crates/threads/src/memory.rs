//! Available memory.

/// The bytes of memory available to this process, also within its control group; `None` if the system does not say.
pub fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?.trim().strip_suffix(" kB")?;
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse::<u64>().ok());
    let available = kilobytes.trim().parse::<u64>().ok()?.saturating_mul(1024);
    Some(group.map_or(available, |group| group.min(available)))
}
