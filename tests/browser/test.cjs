// What a reader can do with the page, done in a real browser on a report of 12,000 made-up rows.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { launch, address } = require("./chromium.cjs");

const work = process.argv[2];
const pictures = process.env.SCREENSHOTS;

const count = (page) => page.locator("#count").innerText();
const shown = async (page) => Number((await count(page)).split(" ")[0].replaceAll(",", ""));
const cards = (page) => page.locator("#rows > li");
const focused = (page) => page.evaluate(() => [...document.querySelectorAll("#rows > li")].indexOf(document.activeElement));

async function open(page, hash = "") {
  await page.goto("about:blank");
  await page.goto(address(work) + hash);
  if (hash.startsWith("#examples")) await settled(page);
}

// What a click sets off begins a little later, so the page must be calm several times in a row.
async function settled(page) {
  const calm = () => document.querySelector("#rows")?.getAttribute("aria-busy") === "false" && document.querySelector("#progress").hidden;
  for (let times = 0; times < 5; ) {
    await page.waitForFunction(calm);
    await page.waitForTimeout(40);
    times = (await page.evaluate(calm)) ? times + 1 : 0;
  }
}

// Waits for the count to be this; says what it is where it never becomes so.
async function shows(page, expected) {
  const is = (expected) => Number(document.querySelector("#count").innerText.split(" ")[0].replaceAll(",", "")) === expected;
  await page.waitForFunction(is, expected, { timeout: 10000 }).catch(() => {});
  assert.equal(await shown(page), expected);
}

async function searched(page, text) {
  await page.locator("#query").fill(text);
  await page.waitForFunction((text) => (new URLSearchParams(location.hash.split("?")[1]).get("q") ?? "") === text, text);
  await settled(page);
}

async function picture(page, name, options = {}) {
  if (pictures) await page.screenshot({ path: path.join(pictures, `${name}.png`), ...options });
}

const facts = {
  "nothing but the page's own scripts can run": async (page, complaints) => {
    await open(page, "#examples");
    await shows(page, 12000);
    assert.deepEqual(complaints.splice(0), []);
    const ran = await page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "window.intruder = 1";
      const image = document.createElement("img");
      image.setAttribute("onerror", "window.intruder = 2");
      image.src = "nowhere.png";
      document.body.append(script, image);
      await new Promise((done) => setTimeout(done, 200));
      return window.intruder;
    });
    assert.equal(ran, undefined);
    const refused = complaints.splice(0);
    assert.equal(refused.length, 3);
    for (const complaint of refused) assert.match(complaint, /Content Security Policy/);
  },

  "rows whose words mislead say which words": async (page) => {
    await open(page, "#examples?misleading=CS_0.5");
    assert.equal(await page.locator("#rows .misled").count(), await cards(page).count());
    const first = page.locator("#rows .misled").first();
    assert.match(await first.innerText(), /Words mislead: 0\.60 toward (entailment|neutral|contradiction)/);
    assert.deepEqual(await first.locator(".feature").allInnerTexts(), ["not", "(sitting, <b>standing</b>)", "standing"]);
    const widths = await first.locator(".push").evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    assert.ok(widths[0] > 1.8 * widths[1] && widths[1] > 2 * widths[2] && widths[2] > 2);
    await picture(page, "misled");
  },

  "the page is whole before any row is fetched": async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await open(page);
    assert.equal(await page.locator("h1").innerText(), "A made-up model on made-up stress tests");
    const share = await page.locator("#sets tr", { hasText: "mnli" }).locator("td.rates span").first().innerText();
    assert.ok((await page.locator(".verdict").innerText()).includes(`right in ${share} of the plain rows`));
    assert.equal(await page.locator("#sets tbody tr").count(), 5);
    assert.ok((await page.locator("svg").count()) > 40);
    assert.equal(asked.filter((url) => url.includes("/data/")).length, 0);
  },

  "every filter narrows the rows to its value": async (page) => {
    await open(page, "#examples");
    await shows(page, 12000);
    const option = page.locator("#selects label", { hasText: /^set/ }).locator("option", { hasText: "hans" });
    const promised = Number((await option.innerText()).match(/\(([\d,]+)\)/)[1].replaceAll(",", ""));
    await page.locator("#selects label", { hasText: /^set/ }).locator("select").selectOption({ label: await option.innerText() });
    await settled(page);
    await shows(page, promised);
    await page.locator("#right label", { hasText: "Wrong" }).click();
    await settled(page);
    const wrong = await shown(page);
    assert.ok(wrong > 0 && wrong < promised);
    for (const text of await cards(page).allInnerTexts()) assert.match(text, /✗ wrong[^]*hans ·/);
    await page.locator("#right label", { hasText: "Right" }).click();
    await settled(page);
    await shows(page, promised - wrong);
    for (const text of await cards(page).allInnerTexts()) assert.match(text, /✓ right/);
    await page.locator("#clear").click();
    await settled(page);
    await shows(page, 12000);
  },

  "gold, answer and tags can be filtered together": async (page) => {
    await open(page, "#examples?gold=neutral&answer=entailment&genre=travel");
    for (const text of await cards(page).allInnerTexts()) assert.match(text, /gold neutral\s+answer entailment[^]*genre: travel/);
    assert.ok((await shown(page)) > 20);
  },

  "a tag on an example is a filter": async (page) => {
    await open(page, "#examples?set=hans");
    const tag = page.locator(".tags button", { hasText: "subcase:" }).first();
    const text = await tag.innerText();
    await tag.click();
    await settled(page);
    for (const card of await cards(page).allInnerTexts()) assert.ok(card.includes(text));
  },

  "names in tables and counts in matrices lead to their examples": async (page) => {
    await open(page);
    await page.locator("#by-heuristic-subcase tbody tr").first().locator("a").click();
    await settled(page);
    const rows = (await page.locator("#by-heuristic-subcase tbody tr").first().locator("td.numbers").first().innerText()).replaceAll(",", "");
    assert.equal(await shown(page), Number(rows));
    await page.locator("#confusion tbody tr").first().locator("td a").nth(1).click();
    await settled(page);
    const cell = await page.locator("#confusion tbody tr").first().locator("td a").nth(1).innerText();
    assert.equal(await shown(page), Number(cell.replaceAll(",", "")));
  },

  "search finds all words in any chunk and marks them": async (page) => {
    await open(page, "#examples");
    await searched(page, "MUSEUM village");
    const found = await shown(page);
    assert.ok(found > 100 && found < 12000);
    for (const text of await cards(page).allInnerTexts()) assert.match(text.toLowerCase(), /museum[^]*village|village[^]*museum/);
    assert.ok((await page.locator("#rows mark").count()) >= 40);
    await searched(page, "21999");
    assert.equal(await shown(page), 1);
    await searched(page, "no such words anywhere");
    assert.match(await count(page), /^No example fits/);
    await searched(page, "");
    assert.equal(await shown(page), 12000);
  },

  "what a challenge changed is marked, with what stood there": async (page) => {
    await open(page, "#examples?set=negation");
    assert.match(await page.locator("#rows mark.changed").first().innerText(), /^ ?and false is not true/);
    await open(page, "#examples?set=spelling");
    const mark = page.locator("#rows dd:first-of-type mark.changed").first();
    const before = (await mark.getAttribute("title")).replace("before: ", "");
    assert.equal((await mark.evaluate((element) => element.firstChild.data)).split("").reverse().join(""), before);
  },

  "markup in sentences and tags is text": async (page) => {
    await open(page, "#examples");
    await searched(page, "10007");
    assert.match(await cards(page).first().innerText(), /<script>document.title = 'owned'<\/script> & "quotes" <b>bold<\/b>/);
    assert.match(await page.locator(".tags").first().innerText(), /genre: <img src=x onerror=alert\(1\)>/);
    assert.equal(await page.locator("#rows script, #rows img, #rows b b").count(), 0);
    assert.equal(await page.title(), "A made-up model on made-up stress tests");
  },

  "keys do what they say": async (page) => {
    await open(page, "#examples");
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement.id), "query");
    await page.keyboard.type("museum/j");
    assert.equal(await page.locator("#query").inputValue(), "museum/j");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#query").inputValue(), "");
    await page.keyboard.press("Escape");
    await settled(page);
    await page.keyboard.press("j");
    assert.equal(await focused(page), 0);
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(page), 2);
    await page.keyboard.press("k");
    await page.keyboard.press("ArrowUp");
    assert.equal(await focused(page), 0);
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("#page").value === "2");
    await settled(page);
    assert.equal(await focused(page), 0);
    await page.keyboard.press("k");
    await page.waitForFunction(() => document.querySelector("#page").value === "1");
    await settled(page);
    assert.equal(await focused(page), 19);
  },

  "pages are turned and the address keeps the view": async (page) => {
    await open(page, "#examples?right=wrong");
    await page.locator("#next").click();
    await settled(page);
    await page.locator("#page").fill("7");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash.includes("page=7"));
    await settled(page);
    const first = await cards(page).first().innerText();
    const kept = await page.evaluate(() => location.hash);
    await open(page, kept);
    assert.equal(await cards(page).first().innerText(), first);
  },

  "tables are sorted by a click": async (page) => {
    await open(page);
    const shares = async () => (await page.locator("#sets td.rates").evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.value))));
    const given = await shares();
    const head = page.locator("#sets thead button", { hasText: "accuracy" });
    await head.click();
    assert.deepEqual(await shares(), given.toSorted((a, b) => a - b));
    assert.equal(await page.locator("#sets th[aria-sort]").getAttribute("aria-sort"), "ascending");
    await head.click();
    assert.deepEqual(await shares(), given.toSorted((a, b) => b - a));
    await head.click();
    assert.deepEqual(await shares(), given);
  },

  "the theme follows the system until it is chosen": async (page) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: "light" });
    await open(page);
    const light = await paper();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await paper();
    assert.notEqual(light, dark);
    await page.locator("#theme").click();
    assert.equal(await paper(), light);
    await open(page);
    assert.equal(await paper(), light);
    await page.locator("#theme").click();
    await page.emulateMedia({ colorScheme: "light" });
    assert.equal(await paper(), dark);
    await page.locator("#theme").click();
    assert.equal(await paper(), light);
  },

  "letters stand out from their ground by at least 4.5 to 1": async (page) => {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await open(page, "#examples?set=negation&q=false");
      assert.deepEqual(await page.evaluate(faintLetters), [], colorScheme);
    }
    await page.emulateMedia({ colorScheme: null });
  },

  "every control has a name and every table a caption": async (page) => {
    await open(page, "#examples");
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, a")]
      .filter((element) => !(element.textContent.trim() || element.labels?.length || element.getAttribute("aria-label"))).map((element) => element.outerHTML));
    assert.deepEqual(nameless, []);
    assert.equal(await page.locator("table:not(:has(caption))").count(), 0);
    for (const landmark of ["main", "nav[aria-label]", "[role=search]", "[role=status]"]) assert.ok((await page.locator(landmark).count()) > 0, landmark);
  },

  "a phone shows the page without scrolling sideways": async (page) => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const hash of ["", "#examples", "#examples?q=10007"]) {
      await open(page, hash);
      const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(content <= screen, `${content} pixels on a screen of ${screen} at ${hash}`);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  },

  "print leaves out what only works on a screen": async (page) => {
    await page.emulateMedia({ media: "print" });
    await open(page);
    assert.equal(await page.locator("#examples").isVisible(), false);
    assert.equal(await page.locator("#confusion table").isVisible(), true);
    if (pictures) await page.pdf({ path: path.join(pictures, "print.pdf"), format: "A4" });
    await page.emulateMedia({ media: null });
  },
};

/// Runs in the page: texts whose contrast with what they stand on is below 4.5, as `text ratio`.
function faintLetters() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, ground) => [0, 1, 2].map((at) => top[at] * top[3] + ground[at] * (1 - top[3]));
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const faint = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const style = getComputedStyle(element);
    if (!walker.currentNode.data.trim() || element.closest("script, style, noscript, title, option, .unseen, :disabled") || !element.checkVisibility()) continue;
    const tile = element.matches("svg text.share") && element.previousElementSibling;
    const below = tile ? over(rgba(getComputedStyle(tile).fill), ground(element.closest("svg"))) : ground(element.closest("svg") ?? element);
    const ink = rgba(element.closest("svg") ? style.fill : style.color);
    ink[3] *= Number(style.opacity);
    const [light, dark] = [luminance(over(ink, below)), luminance(below)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < 4.5) faint.add(`${walker.currentNode.data.trim().slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return [...faint];
}

async function pictureBook(page) {
  if (!pictures) return;
  fs.mkdirSync(pictures, { recursive: true });
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 1280, height: 860 });
    await open(page);
    await picture(page, `${colorScheme}-top`);
    await open(page, "#examples?set=negation&right=wrong");
    await picture(page, `${colorScheme}-examples`);
    await picture(page, `${colorScheme}-all`, { fullPage: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page);
    await picture(page, `${colorScheme}-phone-top`);
    await open(page, "#examples?set=spelling&q=museum");
    await picture(page, `${colorScheme}-phone-examples`);
    await picture(page, `${colorScheme}-phone-all`, { fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.emulateMedia({ colorScheme: null });
}

(async () => {
  const context = await launch(work, { viewport: { width: 1280, height: 860 } });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(10_000);
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => { complaints.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => !/^(file|about|data):/.test(request.url()) && complaints.push(`network ${request.url()}`));
  let failed = 0;
  await pictureBook(page);
  for (const [fact, check] of Object.entries(facts)) {
    try {
      await check(page, complaints);
      assert.deepEqual(complaints.splice(0), [], "the console is silent");
      console.log(`ok   ${fact}`);
    } catch (error) {
      failed += 1;
      complaints.length = 0;
      console.log(`FAIL ${fact}\n     ${error.message.replaceAll("\n", "\n     ")}`);
    }
  }
  await context.close();
  console.log(failed === 0 ? `all ${Object.keys(facts).length} hold` : `${failed} of ${Object.keys(facts).length} do not hold`);
  process.exitCode = failed === 0 ? 0 : 1;
})();
