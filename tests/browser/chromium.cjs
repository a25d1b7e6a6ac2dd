// Starts a headless Chromium with an empty profile and no background network traffic.

const { chromium } = require("playwright-core");
const path = require("node:path");

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

/// Opens a browser with its profile in the folder; `options` are those of a Playwright context.
async function launch(work, options = {}) {
  const profile = path.join(work, `profile-${process.pid}-${Math.random().toString(36).slice(2)}`);
  return chromium.launchPersistentContext(profile, { executablePath: process.env.CHROMIUM, headless: true, args: FLAGS, ...options });
}

const address = (work, report = "report") => `file://${path.join(work, report, "index.html")}`;

module.exports = { launch, address };
