// A Chromium of its own: an empty profile, no network of its own, no window.

const { chromium } = require("playwright-core");
const path = require("node:path");

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

/// Opens a browser whose profile lies in the folder; `options` are those of a playwright context.
async function launch(work, options = {}) {
  const profile = path.join(work, `profile-${process.pid}-${Math.random().toString(36).slice(2)}`);
  return chromium.launchPersistentContext(profile, { executablePath: process.env.CHROMIUM, headless: true, args: FLAGS, ...options });
}

const address = (work, report = "report") => `file://${path.join(work, report, "index.html")}`;

module.exports = { launch, address };
