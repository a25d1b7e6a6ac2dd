// Tests of the page: first screen, folding, tables, figures, themes, printing, small screens, accessibility.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { pictures, count, shown, cards, shows, open, settled, saved, unfold } = require("./helpers.cjs");
const { faintLetters } = require("./contrast.cjs");

const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const menu = (page, section) => page.locator(`${section} details.save`).first();

/// Opens the menu of a section's first table or figure and clicks an entry.
async function saveAs(page, section, entry) {
  await menu(page, section).locator("summary").click();
  return saved(page, () => menu(page, section).locator("button", { hasText: new RegExp(`^${entry}$`) }).click());
}

module.exports = {
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

  "the page is complete before any example is fetched": async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await open(page);
    assert.equal(await page.locator("h1").innerText(), "A made-up model on made-up stress tests");
    const share = await page.locator("#sets tr", { hasText: "mnli" }).locator("td.rates span").first().innerText();
    assert.ok((await page.locator(".verdict").innerText()).replaceAll("\u00a0", " ").includes(`right in ${share} of the original examples`));
    assert.equal(await page.locator("#sets tbody tr").count(), 5);
    assert.equal(asked.filter((url) => url.includes("/data/")).length, 0);
  },

  "verdict and picture are on the first screen": async (page) => {
    await page.setViewportSize({ width: 1400, height: 860 });
    await open(page);
    for (const part of [".verdict", "#overview table"]) {
      const box = await page.locator(part).boundingBox();
      assert.ok(box.y + box.height <= 860, `${part} ends at ${box.y + box.height}`);
    }
    assert.equal(await page.locator("#overview tbody tr:not(.heading)").count(), 5);
    await page.setViewportSize({ width: 1280, height: 860 });
  },

  "cells of the picture and sets in sentences lead to their examples": async (page) => {
    await open(page);
    await page.locator("#overview tr", { hasText: "negation" }).locator("td a").nth(1).click();
    await settled(page);
    assert.match(await page.evaluate(() => location.hash), /^#examples\?model=second&set=negation&right=wrong$/);
    assert.ok((await shown(page)) > 20);
    await page.locator(".verdict a", { hasText: "negation" }).click();
    await settled(page);
    assert.match(await page.evaluate(() => location.hash), /set=negation&right=wrong/);
  },

  "every finding leads to examples that show it": async (page) => {
    await open(page);
    await unfold(page);
    const findings = page.locator(".verdict p, #diagnosis .note:not(.caption)");
    const without = await findings.evaluateAll((all) => all.filter((one) => !one.querySelector("a[href^='#examples']")).map((one) => one.textContent));
    assert.deepEqual(without, []);
    const links = await findings.locator("a[href^='#examples']").evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute("href")]));
    for (const [words, address] of links) {
      await open(page, address);
      assert.ok((await shown(page)) > 20, `${words}: ${await count(page)}`);
      // The address omits the model that is selected by default.
      const filters = (hash) => [...new URLSearchParams(hash.split("?")[1])].filter(([name]) => name !== "model").sort();
      assert.deepEqual(filters(await page.evaluate(() => location.hash)), filters(address), words);
    }
  },

  "the most frequent error leads to its gold label and prediction": async (page) => {
    await open(page);
    await page.locator(".verdict a", { hasText: "predicting neutral for entailment" }).click();
    await settled(page);
    for (const text of await cards(page).allInnerTexts()) assert.match(text, /gold entailment/);
    for (const text of await page.locator("#rows .looked b").allInnerTexts()) assert.equal(text, "neutral");
  },

  "a difference between models leads to the examples that only one gets right": async (page) => {
    await open(page);
    await page.locator(".verdict a", { hasText: "first is significantly better than second" }).click();
    await settled(page);
    assert.ok((await shown(page)) > 100);
    for (const text of await cards(page).locator(".predictions").allInnerTexts()) assert.match(text, /first[^]*✓ right[^]*second[^]*✗ wrong/);
  },

  "a heuristic leads to the errors where it is wrong": async (page) => {
    await open(page, "#diagnosis");
    await page.locator("#diagnosis .note a", { hasText: "lexical-overlap heuristic" }).click();
    await settled(page);
    for (const text of await cards(page).allInnerTexts()) assert.match(text, /lexical-overlap heuristic: wrong/);
    for (const text of await page.locator("#rows .looked").allInnerTexts()) assert.match(text, /✗ wrong/);
  },

  "sections are folded, and open by mouse, by key and by address": async (page) => {
    await open(page);
    const fold = page.locator("#confusion > details");
    assert.equal(await fold.evaluate((details) => details.open), false);
    await page.locator("#confusion > details > summary").focus();
    await page.keyboard.press("Enter");
    assert.equal(await fold.evaluate((details) => details.open), true);
    await open(page, "#confusion");
    assert.equal(await fold.evaluate((details) => details.open), true);
    await page.locator("#fold").click();
    await page.locator("nav.contents a[href='#confusion']").click();
    assert.equal(await fold.evaluate((details) => details.open), true);
  },

  "a switch shows the same section of another model": async (page) => {
    await open(page, "#original-vs-perturbed");
    const visible = () => page.locator("#original-vs-perturbed .panel:visible").evaluateAll((panels) => panels.map((panel) => panel.dataset.model));
    assert.deepEqual(await visible(), ["first"]);
    await page.locator("#original-vs-perturbed .segments label", { hasText: "second" }).click();
    assert.deepEqual(await visible(), ["second"]);
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await visible(), ["first", "second"]);
  },

  "names in tables and counts in matrices lead to their examples": async (page) => {
    await open(page);
    await unfold(page);
    await page.locator("#by-heuristic-subcase tbody tr").first().locator("a").click();
    await settled(page);
    const rows = (await page.locator("#by-heuristic-subcase tbody tr").first().locator("td.numbers").first().innerText()).replaceAll(",", "");
    assert.equal(await shown(page), Number(rows));
    await page.locator("#confusion tbody tr").first().locator("td a").nth(1).click();
    await settled(page);
    const cell = await page.locator("#confusion tbody tr").first().locator("td a").nth(1).innerText();
    assert.equal(await shown(page), Number(cell.replaceAll(",", "")));
  },

  "terms lead to the glossary": async (page) => {
    await open(page);
    await page.locator("#sets .term").first().click();
    assert.match(await page.evaluate(() => location.hash), /^#term-/);
    const [term] = (await page.evaluate(() => location.hash)).split("?");
    assert.equal(await page.locator(term).isVisible(), true);
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

  "tables are saved as CSV and LaTeX": async (page) => {
    await open(page);
    const csv = (await saveAs(page, "#sets", "CSV")).bytes.toString().trim().split("\n");
    assert.equal(csv[0], "set,n,accuracy,accuracy low,accuracy high");
    assert.equal(csv.length, 6);
    const [, count, share, low, high] = csv[1].split(",").map(Number);
    assert.equal(count, 2400);
    assert.ok(low < share && share < high);
    const latex = (await saveAs(page, "#sets", "LaTeX")).bytes.toString();
    assert.match(latex, /\\begin\{tabular\}\{lrr\}\n    \\toprule\n    set & n & accuracy \\\\\n    \\midrule/);
    assert.match(latex, /word-overlap & 2,400 & \d\d\.\d \\% \[\d\d\.\d, \d\d\.\d\] \\\\/);
  },

  "figures are saved as SVG and PNG": async (page) => {
    await open(page);
    const svg = (await saveAs(page, ".lead", "SVG")).bytes.toString();
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.match(svg, />negation<\/text>/);
    assert.ok((svg.match(/<rect/g) ?? []).length > 10 && !svg.includes("oklab") && !svg.includes("var("));
    if (pictures) fs.writeFileSync(path.join(pictures, "overview.svg"), svg);
    const png = (await saveAs(page, ".lead", "PNG")).bytes;
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.ok(png.length > 5_000);
    if (pictures) fs.writeFileSync(path.join(pictures, "overview-saved.png"), png);
  },

  "Escape closes a menu and leaves the focus on it": async (page) => {
    await open(page);
    await menu(page, "#sets").locator("summary").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "CSV");
    await page.keyboard.press("Escape");
    assert.equal(await menu(page, "#sets").evaluate((details) => details.open), false);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), "SUMMARY");
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

  "text has a contrast of at least 4.5 to 1": async (page) => {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await open(page, "#examples?set=negation&q=false");
      await unfold(page);
      assert.deepEqual(await page.evaluate(faintLetters), [], colorScheme);
    }
    await page.emulateMedia({ colorScheme: null });
  },

  "axe finds nothing serious, folded or not, light or dark": async (page) => {
    for (const [colorScheme, report] of [["light", "report"], ["dark", "report"], ["light", "single"]]) {
      await page.emulateMedia({ colorScheme });
      await open(page, "#examples?set=negation&changed=changed", report);
      for (const unfolded of [false, true]) {
        if (unfolded) await unfold(page);
        // The page's policy blocks injected scripts, except those of the debugger.
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
        assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" ")}`), [], `${colorScheme} ${report} ${unfolded}`);
      }
    }
    await page.emulateMedia({ colorScheme: null });
  },

  "every control has a name and every table a caption": async (page) => {
    await open(page, "#examples");
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, a, summary")]
      .filter((element) => !(element.textContent.trim() || element.labels?.length || element.getAttribute("aria-label"))).map((element) => element.outerHTML));
    assert.deepEqual(nameless, []);
    assert.equal(await page.locator("table:not(:has(caption))").count(), 0);
    for (const landmark of ["main", "nav[aria-label]", "[role=search]", "[role=status]"]) assert.ok((await page.locator(landmark).count()) > 0, landmark);
  },

  "the tab key reaches every control, and each shows that it has the focus": async (page) => {
    await open(page, "", "single");
    // The controls appear together with the examples.
    await page.evaluate(() => document.querySelector("#examples").scrollIntoView());
    await settled(page);
    await page.evaluate(() => scrollTo(0, 0));
    const reached = new Set();
    const unseen = [];
    for (let step = 0; step < 400; step++) {
      await page.keyboard.press("Tab");
      const found = await page.evaluate(() => {
        const at = document.activeElement;
        if (!at || at === document.body) return null;
        const shows = (element) => { const style = getComputedStyle(element); return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0; };
        const visible = shows(at) || (at.parentElement && shows(at.parentElement)) || at.matches("#rows > li, .skip");
        at.dataset.reached = "1";
        return { kind: `${at.tagName}#${at.id}`, visible, html: at.outerHTML.slice(0, 120) };
      });
      if (!found || found.kind === "LI#") break;
      reached.add(found.kind);
      if (!found.visible) unseen.push(found.html);
    }
    assert.deepEqual(unseen, []);
    for (const wanted of ["BUTTON#theme", "BUTTON#unfold", "INPUT#query", "SELECT#filter-model", "BUTTON#export-csv"]) assert.ok(reached.has(wanted), `${wanted} of ${[...reached].join(" ")}`);
  },

  "small and large screens show the page without scrolling sideways": async (page) => {
    for (const width of [360, 390, 768, 1400]) {
      await page.setViewportSize({ width, height: 844 });
      for (const hash of ["", "#examples", "#examples?q=10007"]) {
        await open(page, hash);
        await unfold(page);
        const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(content <= screen, `${content} pixels on a screen of ${screen} at ${hash}`);
      }
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  },

  "content wider than the screen has a scroll hint": async (page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, "#comparison");
    const box = page.locator("#comparison .scroll");
    assert.ok(await box.evaluate((element) => element.scrollWidth > element.clientWidth));
    assert.equal(await page.locator("#comparison .hint").isVisible(), true);
    assert.equal(await box.getAttribute("tabindex"), "0");
    await page.setViewportSize({ width: 1400, height: 860 });
    await page.waitForFunction(() => document.querySelector("#comparison .hint").hidden);
    await page.setViewportSize({ width: 1280, height: 860 });
  },

  "in print, table headers are repeated and no table is cut off": async (page) => {
    await open(page);
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 703, height: 1000 });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const cut = await page.locator("table:visible").evaluateAll((tables) => tables.filter((table) => table.getBoundingClientRect().right > innerWidth + 1).map((table) => table.caption.textContent));
    assert.deepEqual(cut, []);
    assert.equal(await page.locator("thead button").first().evaluate((button) => getComputedStyle(button).display), "contents");
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1280, height: 860 });
  },

  "print unfolds everything and omits interactive elements": async (page) => {
    await open(page);
    const pdf = await page.pdf({ format: "A4", ...(pictures && { path: path.join(pictures, "print.pdf") }) });
    assert.ok(pdf.length > 20_000);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    for (const hidden of ["#examples", "nav.contents", "details.save"]) assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    for (const visible of ["#confusion table", "#original-vs-perturbed .panel[data-model=second]", "#provenance dl"]) assert.equal(await page.locator(visible).isVisible(), true, visible);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await page.locator("#confusion > details").evaluate((details) => details.open), false);
    await page.emulateMedia({ media: null });
  },

  "index.html stays under a megabyte": async () => {
    const { work } = require("./helpers.cjs");
    assert.ok(fs.statSync(path.join(work, "report", "index.html")).size < 1_000_000);
  },
};
