// Tests of the examples section, on a report with 12,000 examples.

const assert = require("node:assert/strict");
const { count, shown, cards, focused, open, settled, shows, searched, picture, saved } = require("./helpers.cjs");

const looked = (page) => page.locator("#rows .looked").allInnerTexts();
const select = (page, name) => page.locator(".selects label", { hasText: new RegExp(`^${name}`) });

module.exports = {
  "examples whose words mislead say which words": async (page) => {
    await open(page, "#examples?misleading=CS_0.5");
    assert.equal(await page.locator("#rows .misled").count(), await cards(page).count());
    const first = page.locator("#rows .misled").first();
    assert.match(await first.innerText(), /Words mislead: 0\.60 toward (entailment|neutral|contradiction)/);
    assert.deepEqual(await first.locator(".feature").allInnerTexts(), ["not", "(sitting, <b>standing</b>)", "standing"]);
    const widths = await first.locator(".push").evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    assert.ok(widths[0] > 1.8 * widths[1] && widths[1] > 2 * widths[2] && widths[2] > 2);
    await picture(page, "misled");
  },

  "fifty examples are shown at a time": async (page) => {
    await open(page, "#examples");
    assert.equal(await cards(page).count(), 50);
  },

  "every filter narrows the examples to its value": async (page) => {
    await open(page, "#examples");
    await shows(page, 12000);
    const option = select(page, "set").locator("option", { hasText: "hans" });
    const promised = Number((await option.innerText()).match(/\(([\d,]+)\)/)[1].replaceAll(",", ""));
    await select(page, "set").locator("select").selectOption({ label: await option.innerText() });
    await settled(page);
    await shows(page, promised);
    await page.locator("#filter-right label", { hasText: "Wrong" }).click();
    await settled(page);
    const wrong = await shown(page);
    assert.ok(wrong > 0 && wrong < promised);
    for (const text of await cards(page).allInnerTexts()) assert.match(text, /hans ·/);
    for (const text of await looked(page)) assert.match(text, /✗ wrong/);
    await page.locator("#filter-right label", { hasText: "Right" }).click();
    await settled(page);
    await shows(page, promised - wrong);
    for (const text of await looked(page)) assert.match(text, /✓ right/);
    await page.locator("#clear").click();
    await settled(page);
    await shows(page, 12000);
  },

  "gold, prediction and tags can be filtered together": async (page) => {
    await open(page, "#examples?gold=neutral&prediction=entailment&genre=travel");
    for (const text of await cards(page).allInnerTexts()) assert.match(text, /gold neutral[^]*genre: travel/);
    for (const text of await page.locator("#rows .looked b").allInnerTexts()) assert.equal(text, "entailment");
    assert.ok((await shown(page)) > 20);
  },

  "changed predictions can be filtered, and the original prediction is shown": async (page) => {
    await open(page, "#examples?set=negation");
    const all = await shown(page);
    await page.locator("#filter-changed label", { hasText: /^Changed/ }).click();
    await settled(page);
    const changed = await shown(page);
    assert.ok(changed > 0 && changed < all);
    for (const card of await cards(page).all()) {
      const [before, after] = [await card.locator(".looked .before").innerText(), await card.locator(".looked b").innerText()];
      assert.notEqual(before.replace(/^original /, ""), after);
      assert.equal(await card.locator(".looked .flipped").count(), 1);
      const texts = await card.locator("dd").evaluateAll((lines) => lines.map((line) => {
        const copy = line.cloneNode(true);
        copy.querySelectorAll(".unseen").forEach((unseen) => unseen.remove());
        return copy.textContent;
      }));
      assert.equal(texts.length, 3, "a premise, the original and the perturbed hypothesis");
      assert.equal(texts[2].replace(" and false is not true", ""), texts[1]);
    }
    await page.locator("#filter-changed label", { hasText: "Unchanged" }).click();
    await settled(page);
    await shows(page, all - changed);
    await picture(page, "changed");
  },

  "predictions of another model are filtered when it is chosen": async (page) => {
    await open(page, "#examples?set=mnli&right=wrong");
    const first = await shown(page);
    await page.locator("#filter-model").selectOption({ label: "second" });
    await settled(page);
    assert.notEqual(await shown(page), first);
    for (const text of await looked(page)) assert.match(text, /second[^]*✗ wrong/);
    assert.match(await page.evaluate(() => location.hash), /model=second/);
  },

  "examples on which models disagree can be filtered": async (page) => {
    await open(page, "#examples?models=disagree");
    const disagree = await shown(page);
    for (const card of await cards(page).all()) assert.equal(new Set(await card.locator(".predictions b").allInnerTexts()).size, 2);
    await open(page, "#examples?models=agree");
    await shows(page, 12000 - disagree);
  },

  "a tag on an example is a filter": async (page) => {
    await open(page, "#examples?set=hans");
    const tag = page.locator(".tags button", { hasText: "subcase:" }).first();
    const text = await tag.innerText();
    await tag.click();
    await settled(page);
    for (const card of await cards(page).allInnerTexts()) assert.ok(card.includes(text));
  },

  "search finds all words in any chunk and marks them": async (page) => {
    await open(page, "#examples");
    await searched(page, "MUSEUM village");
    const found = await shown(page);
    assert.ok(found > 100 && found < 12000);
    for (const text of await cards(page).allInnerTexts()) assert.match(text.toLowerCase(), /museum[^]*village|village[^]*museum/);
    assert.ok((await page.locator("#rows mark").count()) >= 100);
    await searched(page, "21999");
    assert.equal(await shown(page), 1);
    await searched(page, "no such words anywhere");
    assert.match(await count(page), /^No example matches/);
    await searched(page, "");
    assert.equal(await shown(page), 12000);
  },

  "what a challenge changed is marked in both sentences": async (page) => {
    await open(page, "#examples?set=negation");
    assert.match(await page.locator("#rows mark.changed").first().innerText(), /^ ?and false is not true/);
    await open(page, "#examples?set=spelling");
    const card = cards(page).first();
    const mark = card.locator("mark.changed").first();
    const before = (await mark.getAttribute("title")).replace("before: ", "");
    assert.equal((await mark.evaluate((element) => element.firstChild.data)).split("").reverse().join(""), before);
    const palindrome = before === before.split("").reverse().join("");
    if (!palindrome) assert.equal(await card.locator("dd.original mark.gone").first().innerText(), before);
  },

  "markup in sentences and tags is text": async (page) => {
    await open(page, "#examples");
    await searched(page, "10007");
    assert.match(await cards(page).first().innerText(), /<script>document.title = 'owned'<\/script> & "quotes" <b>bold<\/b>/);
    assert.match(await page.locator(".tags").first().innerText(), /genre: <img src=x onerror=alert\(1\)>/);
    assert.equal(await page.locator("#rows script, #rows img, #rows b b").count(), 0);
    assert.equal(await page.title(), "A made-up model on made-up stress tests");
  },

  "the filtered examples are saved as CSV and as JSON lines": async (page) => {
    await open(page, "#examples?set=spelling&changed=changed");
    const wanted = await shown(page);
    const lines = await saved(page, () => page.locator("#export-jsonl").click());
    assert.equal(lines.name, "examples.jsonl");
    const records = lines.bytes.toString().trim().split("\n").map((line) => JSON.parse(line));
    assert.equal(records.length, wanted);
    for (const { set, parent, original_premise, premise, predictions } of records) {
      assert.equal(set, "spelling");
      assert.ok(parent && original_premise && premise);
      assert.notEqual(predictions.first.prediction, predictions.first.original);
    }
    const csv = await saved(page, () => page.locator("#export-csv").click());
    assert.equal(csv.name, "examples.csv");
    const [head, ...rows] = csv.bytes.toString().trim().split("\n");
    assert.equal(rows.length, wanted);
    assert.ok(head.startsWith("set,id,parent,original_premise,original_hypothesis,premise,hypothesis,gold,first,first right,first original,second,"), head);
    await open(page, "#examples?q=10007");
    const quoted = (await saved(page, () => page.locator("#export-csv").click())).bytes.toString();
    assert.ok(quoted.includes('& ""quotes"" <b>bold</b>'), "quotes are doubled");
  },

  "keyboard shortcuts work as documented": async (page) => {
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
    assert.equal(await focused(page), 49);
  },

  "paging works and the address stores the view": async (page) => {
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

  "a single file shows its examples too": async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await open(page, "#examples?set=negation&changed=changed", "single");
    assert.ok((await cards(page).count()) > 5);
    await searched(page, "false");
    assert.ok((await shown(page)) > 5);
    assert.deepEqual(asked.filter((url) => !url.endsWith("index.html") && !/^(data|about|blob):/.test(url.split("#")[0]) && !url.includes("index.html#")), []);
  },
};
