// Helpers of the tests: opening the page, waiting until it is idle, reading its content.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { address } = require("./chromium.cjs");

const work = process.argv[2];
const pictures = process.env.SCREENSHOTS;

const count = (page) => page.locator("#count").innerText();
const shown = async (page) => Number((await count(page)).split(" ")[0].replaceAll(",", ""));
const cards = (page) => page.locator("#rows > li");
const focused = (page) => page.evaluate(() => [...document.querySelectorAll("#rows > li")].indexOf(document.activeElement));

async function open(page, hash = "", report = "report") {
  await page.goto("about:blank");
  await page.goto(address(work, report) + hash);
  if (hash.startsWith("#examples")) await settled(page);
}

// A click takes effect with a delay, so the page must be idle several times in a row.
async function settled(page) {
  const calm = () => document.querySelector("#rows")?.getAttribute("aria-busy") === "false" && document.querySelector("#progress").hidden;
  for (let times = 0; times < 5; ) {
    await page.waitForFunction(calm);
    await page.waitForTimeout(40);
    times = (await page.evaluate(calm)) ? times + 1 : 0;
  }
}

async function shows(page, number) {
  await page.waitForFunction((number) => document.querySelector("#count").textContent.startsWith(number), new Intl.NumberFormat("en").format(number));
  assert.equal(await shown(page), number);
}

async function searched(page, text) {
  await page.locator("#query").fill(text);
  await page.waitForFunction((text) => (new URLSearchParams(location.hash.split("?")[1]).get("q") ?? "") === text, text);
  await settled(page);
}

async function picture(page, name, options = {}) {
  if (pictures) await page.screenshot({ path: path.join(pictures, `${name}.png`), ...options });
}

/// The content and name of the file that the page saves on a click.
async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return { name: download.suggestedFilename(), bytes: fs.readFileSync(await download.path()) };
}

const unfold = (page) => page.evaluate(() => document.querySelectorAll("main details:not(.save)").forEach((fold) => { fold.open = true; }));

module.exports = { work, pictures, count, shown, cards, focused, open, settled, shows, searched, picture, saved, unfold };
