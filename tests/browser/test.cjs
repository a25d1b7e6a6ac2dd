// Runs the browser tests: a report with 12,000 made-up examples, and a review. Arguments after the folder select tests by name.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const { launch } = require("./chromium.cjs");
const { work, pictures, open, picture } = require("./helpers.cjs");

const wanted = process.argv.slice(3);
const facts = Object.entries({ ...require("./page.cjs"), ...require("./examples.cjs"), ...require("./review.cjs") })
  .filter(([fact]) => wanted.length === 0 || wanted.some((part) => fact.includes(part)));

async function pictureBook(page) {
  if (!pictures) return;
  fs.mkdirSync(pictures, { recursive: true });
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const [name, width, height] of [["", 1400, 860], ["phone-", 390, 844]]) {
      await page.setViewportSize({ width, height });
      await open(page);
      await picture(page, `${colorScheme}-${name}top`);
      await open(page, "#examples?set=negation&right=wrong");
      await picture(page, `${colorScheme}-${name}examples`);
      await picture(page, `${colorScheme}-${name}all`, { fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.emulateMedia({ colorScheme: null });
}

(async () => {
  const context = await launch(work, { viewport: { width: 1280, height: 860 }, acceptDownloads: true });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(10_000);
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => { complaints.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => !/^(file|about|data|blob):/.test(request.url()) && complaints.push(`network ${request.url()}`));
  let failed = 0;
  await pictureBook(page);
  for (const [fact, check] of facts) {
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
  console.log(failed === 0 ? `all ${facts.length} hold` : `${failed} of ${facts.length} do not hold`);
  process.exitCode = failed === 0 ? 0 : 1;
})();
