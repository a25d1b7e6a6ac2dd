// Tests of the review page: judging by keyboard, restoring answers, saving a sheet that the program reads, printing, small screens, accessibility.

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { work, picture, saved } = require("./helpers.cjs");
const { faintLetters } = require("./contrast.cjs");

const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const folder = path.join(work, "review");
const items = 12;

async function open(page, name = "review") {
  await page.goto("about:blank");
  await page.goto(`file://${path.join(work, name, "review.html")}`);
}

async function begin(page, judge, name) {
  await open(page, name);
  await page.locator("#judge").fill(judge);
  await page.keyboard.press("Enter");
  await page.locator("#work").waitFor();
}

const place = (page) => page.locator("#place").innerText();
const answered = (page) => page.locator("#answered").innerText();
const said = (page) => page.locator("#said").innerText();

/// The program's scores for sheets.
function score(name, ...sheets) {
  const key = path.join(work, name, "review.json");
  return execFileSync(process.env.ACIDTEST, ["review", "--score", ...sheets, "--key", key, "--format", "json"], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

module.exports = {
  "a review is judged by keyboard alone, and the program reads what is saved": async (page) => {
    await begin(page, "=Ann O'Hara");
    assert.match(await place(page), /^Pair 1 of 12 \(item \d+\)$/);
    for (let pair = 0; pair < items; pair += 1) for (const key of ["c", "g", "1"]) await page.keyboard.press(key);
    assert.equal(await answered(page), "12 of 12 pairs answered");
    assert.match(await said(page), /All pairs are answered/);
    const { name, bytes } = await saved(page, () => page.locator("#save").click());
    assert.equal(name, "Ann-O-Hara.csv");
    const lines = bytes.toString("utf8").trimEnd().split("\n");
    const sheet = fs.readFileSync(path.join(folder, "judge-1.csv"), "utf8").trimEnd().split("\n");
    assert.equal(lines[0], sheet[0]);
    // The rows of the empty sheet in another order, with the judge and the answers.
    const filled = (line) => line.replace(/^judge-1,/, "'=Ann O'Hara,").replace(/,,,,$/, ",contradiction,grammatical,trivial,");
    assert.deepEqual(lines.slice(1).sort(), sheet.slice(1).map(filled).sort());
    assert.notDeepEqual(lines.slice(1), sheet.slice(1).map(filled));
    const file = path.join(work, name);
    fs.writeFileSync(file, bytes);
    const report = JSON.parse(score("review", file));
    const share = report.measurements.find((one) => one.group?.[0]?.[1] === "grammatical" && one.group.length === 1);
    assert.deepEqual(share.counts, { count: items, total: items });
  },

  "answers are restored after the page was closed": async (page) => {
    await begin(page, "Ben");
    const first = await place(page);
    for (const key of ["n", "u", "2", "e"]) await page.keyboard.press(key);
    assert.match(await place(page), /^Pair 2 /);
    await page.keyboard.press("t");
    await page.keyboard.type("g and c are typed here");
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await place(page), first);
    await open(page);
    assert.equal(await page.locator("#judge").inputValue(), "Ben");
    await begin(page, "Ben");
    assert.equal(await said(page), "Your earlier answers have been restored.");
    assert.equal(await place(page), first);
    assert.equal(await answered(page), "1 of 12 pairs answered");
    assert.ok(await page.locator("#label-neutral").isChecked());
    assert.ok(await page.locator("#difficulty-needs-thought").isChecked());
    await page.keyboard.press("ArrowRight");
    assert.ok(await page.locator("#label-entailment").isChecked());
    assert.equal(await page.locator("#note").inputValue(), "g and c are typed here");
    await page.keyboard.press("Delete");
    assert.equal(await page.locator("#questions :checked").count(), 0);
    assert.equal(await page.locator("#note").inputValue(), "g and c are typed here");
    // Another judge starts without answers, and sees the pairs in another order.
    await begin(page, "Cem");
    assert.equal(await answered(page), "0 of 12 pairs answered");
  },

  "shortcut keys can be switched off, and arrow keys move between answers as usual": async (page) => {
    await begin(page, "Dee");
    await page.locator("summary").click();
    await page.locator("#shortcuts").uncheck();
    await page.keyboard.press("e");
    assert.equal(await page.locator("#questions :checked").count(), 0);
    await page.locator("#label-entailment").focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowRight");
    assert.ok(await page.locator("#label-neutral").isChecked());
    assert.match(await place(page), /^Pair 1 /);
    await page.locator("#next").click();
    assert.match(await place(page), /^Pair 2 /);
    assert.equal(await page.evaluate(() => document.activeElement.id), "pair");
  },

  "a set that keeps its labels is judged beside its originals": async (page) => {
    await begin(page, "Eve", "relation");
    assert.deepEqual(await page.locator("#pair dt").allInnerTexts(), ["Original premise", "Original hypothesis", "Premise", "Hypothesis"]);
    await page.keyboard.press("s");
    assert.equal(await answered(page), "1 of 12 pairs answered");
    const { name, bytes } = await saved(page, () => page.locator("#save").click());
    assert.match(await said(page), /^Saved as Eve.csv; 11 pairs not answered yet/);
    fs.writeFileSync(path.join(work, name), bytes);
    assert.match(score("relation", path.join(work, name)), /relation unchanged/);
  },

  "hostile sentences are shown as text": async (page) => {
    await begin(page, "Fay");
    const texts = [];
    for (let pair = 0; pair < items; pair += 1) {
      texts.push(...(await page.locator("#pair dd").allInnerTexts()));
      await page.keyboard.press("ArrowRight");
    }
    assert.ok(texts.includes("<img src=x onerror=alert(1)> </script>"), texts.join("\n"));
    assert.ok(texts.some((text) => text.startsWith("=HYPERLINK")));
    assert.equal(await page.evaluate(() => document.images.length), 0);
  },

  "a review fits a phone, is printed as a form, and axe finds nothing serious": async (page) => {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const [size, width, height] of [["", 1280, 860], ["phone-", 320, 700]]) {
        await page.setViewportSize({ width, height });
        await open(page);
        await picture(page, `review-${colorScheme}-${size}start`);
        await begin(page, "Gus");
        await page.keyboard.press("n");
        await picture(page, `review-${colorScheme}-${size}pair`, { fullPage: true });
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px is too narrow`);
        await page.locator("summary").click();
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        assert.deepEqual(violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id, nodes }) => `${id} ${nodes[0].html}`), []);
        assert.deepEqual(await page.evaluate(faintLetters), []);
      }
    }
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.emulateMedia({ media: "print", colorScheme: null });
    assert.equal(await page.locator("#paper li:visible").count(), items);
    assert.equal(await page.locator("#main").isVisible(), false);
    await picture(page, "review-print");
    await page.emulateMedia({ media: null });
  },
};
