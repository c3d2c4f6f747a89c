// Studies a page of `komadori analyze --html` in a browser as a reader would: with mouse, keys and
// fingers. Prints "ok TEXT" or "no TEXT" for each thing looked at, with what was found behind it.
// usage: node page.mjs FOLDER BROWSER PAGE RECORD
// FOLDER is where npm has put playwright-core, RECORD the record that was made with the page; the
// data for programs lie beside it, with the ending json.
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, browserPath, file, record] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(folder), "x.js"))("playwright-core");
const url = pathToFileURL(resolve(file)).href;

function check(text, isGood, found = "") {
  console.log(`${isGood ? "ok" : "no"} ${text}${isGood || found === "" ? "" : `: ${JSON.stringify(found).slice(0, 600)}`}`);
}
const same = (text, got, want) => check(text, JSON.stringify(got) === JSON.stringify(want), { got, want });

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const troubles = [];

async function open(options = {}, hash = "") {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 }, locale: "ja-JP", acceptDownloads: true, ...options,
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || troubles.push(request.url()));
  await page.goto(url + hash);
  return page;
}

// What can be seen of the page's state.
const sfen = (page) => page.evaluate(() => shownSfen());
const at = (page) => page.evaluate(() => state.at);
const drawn = (page) => page.locator("#board").innerHTML();
const boxes = (page) => page.evaluate(() => ["stage", "board", "keys", "say", "lines", "words", "list", "sums", "graph", "plot"]
  .map((id) => {
    const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
    return [id, ...[x, y, width, height].map(Math.round)].join(" ");
  }));
async function stepsAndLayout() {
  for (const [name, viewport] of [["1280x900", { width: 1280, height: 900 }], ["a phone", { width: 390, height: 844 }]]) {
    const page = await open({ viewport });
    const first = await boxes(page);
    const moved = [];
    const plies = await page.evaluate(() => main.length);
    for (let ply = 1; ply < plies; ply++) {
      await page.keyboard.press("ArrowRight");
      const now = await boxes(page);
      if (JSON.stringify(now) !== JSON.stringify(first)) {
        moved.push(ply);
      }
    }
    same(`nothing jumps over all moves at ${name}`, moved, []);
    check(`the right arrow reaches the end at ${name}`, await at(page) === await page.evaluate(() => main[main.length - 1]));
    const tops = async () => (await boxes(page)).map((box) => box.split(" ").filter((_, i) => i !== 3).join(" "));
    await page.evaluate(() => go(onMain().find(isMistake).index));
    const inGame = await tops();
    await page.evaluate(() => enterLine(0, 1));
    same(`nor when a line is entered at ${name}`, await tops(), inGame);
    const scrolled = await page.evaluate(() => scrollY);
    same(`nor does the page scroll at ${name}`, scrolled, 0);
    if (viewport.width === 1280) {
      const below = await page.evaluate(() => ["board", "lines", "graph"].filter((id) =>
        document.getElementById(id).getBoundingClientRect().bottom > innerHeight));
      same("board, lines and graph are in view at 1280x900", below, []);
      for (const lang of ["ja", "en"]) {
        same(`the formula of the accuracy can be read whole, ${lang}`, await page.evaluate(() => {
          const [formula] = [...document.querySelectorAll("#sums p")].slice(-1);
          return formula.textContent.includes("e^(−") && formula.getBoundingClientRect().bottom <=
            document.getElementById("sums").getBoundingClientRect().bottom;
        }), true);
        await page.keyboard.press("l");
      }
      same("and the page needs no scrolling", await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), true);
    } else {
      check("the board takes the width of a phone", await page.evaluate(() =>
        9 * CELL_W * document.getElementById("board").getScreenCTM().a > 0.93 * innerWidth));
      const spread = (selector) => page.evaluate((wanted) => {
        const middles = [...document.querySelectorAll(wanted)].map((element) => element.getBoundingClientRect())
          .map(({ top, bottom }) => (top + bottom) / 2);
        return Math.max(...middles) - Math.min(...middles);
      }, selector);
      check("the buttons below it are one row", await spread("#keys button") < 4);
      check("and so are the title and its buttons", await spread("header > h1, header > button:not([hidden]), header summary") < 8);
      await page.evaluate(() => scrollTo(0, 500));
      const inView = () => page.evaluate(() => {
        const { top, bottom } = document.getElementById("board").getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
      check("the board stays in view further down", await inView() && await page.evaluate(() => scrollY) > 300);
      await page.evaluate(() => scrollTo(0, 0));
    }
    same(`nothing is wider than the screen at ${name}`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    await page.context().close();
  }
}

async function lines() {
  // How long the lines are depends on the network; the second of three must be long enough to walk along it.
  const whole = await open();
  const ply = await whole.evaluate(() => main.findIndex((node, i) => i >= 10 && linesOf(nodes[node]).length >= 3 && linesOf(nodes[node])[1].pv.length >= 4));
  await whole.context().close();
  check("a position has lines", ply >= 10, ply);
  const page = await open({}, `#${ply}`);
  const before = await drawn(page);
  const root = await sfen(page);
  const expected = await page.evaluate(() => linesOf(nodes[state.at])[1].pv.slice(0, 2).join(" "));
  const move = page.locator("#lines button[data-rank='1'][data-played='2']");
  await move.hover();
  check("pointing at a move of a line shows the position after it", await drawn(page) !== before);
  await page.mouse.move(5, 5);
  same("only as long as the pointer is there", await drawn(page), before);
  await move.click();
  same("a click enters the line", await sfen(page), `sfen ${root} moves ${expected}`);
  await page.mouse.move(5, 5);
  check("the line stays when the pointer leaves", await drawn(page) !== before);
  same("its move is marked", await page.locator("#lines .on").getAttribute("data-played"), "2");
  await page.keyboard.press("ArrowRight");
  same("the right arrow goes on in it", await page.locator("#lines .on").getAttribute("data-played"), "3");
  await page.keyboard.press("End");
  const length = await page.evaluate(() => linesOf(nodes[state.at])[1].pv.length);
  same("to its end", await page.locator("#lines .on").getAttribute("data-played"), String(length));
  await page.keyboard.press("ArrowRight");
  same("and no further", await page.locator("#lines .on").getAttribute("data-played"), String(length));
  await page.keyboard.press("ArrowDown");
  same("down goes to another line", await page.locator("#lines .on").getAttribute("data-rank"), "2");
  await page.keyboard.press("Escape");
  same("Escape returns to the game", [await sfen(page), await drawn(page)], [root, before]);
  await page.keyboard.press("1");
  same("a digit enters a line", await page.locator("#lines .on").getAttribute("data-rank"), "0");
  await page.keyboard.press("ArrowLeft");
  same("going back before its first move leaves it", await page.locator("#lines .on").count(), 0);
  const strengths = await page.locator("#board .arrow").evaluateAll((all) => all.map((arrow) => Number(arrow.getAttribute("opacity"))));
  same("all lines are arrows", strengths.length, await page.evaluate(() => linesOf(nodes[state.at]).length));
  check("the best one is the strongest", strengths.every((opacity, i) => i === 0 || opacity > strengths[i - 1]), strengths);
  const share = await page.evaluate(() => [document.getElementById("bar").style.getPropertyValue("--share"), `${nodes[state.at].win}%`]);
  same("the bar shows the winning chances", share[0], share[1]);
  await page.context().close();
}

async function graph() {
  const page = await open();
  const box = await page.locator("#plot").boundingBox();
  const [x, y] = [box.x + box.width * 0.6, box.y + 30];
  const before = await drawn(page);
  await page.mouse.move(x, y);
  const ply = await page.evaluate((clientX) => Math.round(plot.at({ clientX })), x);
  check("the graph shows the position under the pointer", await drawn(page) !== before && ply > 0);
  const tip = await page.locator("#tip").innerText();
  check("with its move and score", tip.includes(await page.evaluate((p) => scoreText(nodes[main[p]]), ply)) && tip.startsWith(`${ply} `), tip);
  await page.mouse.move(5, 5);
  same("until it leaves", [await drawn(page), await page.locator("#tip").isVisible()], [before, false]);
  await page.mouse.click(x, y);
  same("a click goes there", await page.evaluate(() => plyOf.get(state.at)), ply);
  same("and the address has it", await page.evaluate(() => location.hash), `#${ply}`);
  const bars = await page.evaluate(() => [
    main.filter((index) => nodes[index].time > 0).length, document.querySelectorAll("#plot rect[class^='side']").length,
  ]);
  same("each time has its bar", bars[1], bars[0]);
  await page.context().close();
}

// The move that ends the game changes no position, so the end shows the analysis of the last one.
async function theEnd() {
  const page = await open();
  await page.keyboard.press("End");
  const end = await page.evaluate(() => ({ hasMove: nodes[state.at].usi !== undefined, name: moveName(nodes[state.at]) }));
  check("the last line is the ending", !end.hasMove, end);
  const seen = async () => [await page.locator("#lines").innerText(), await page.locator("#percent").innerText(),
    await page.locator("#board .arrow").count()];
  const atEnd = await seen();
  check("the end has lines and chances", /[▲△]/.test(atEnd[0]) && atEnd[1] !== "" && atEnd[2] > 0, atEnd);
  await page.keyboard.press("ArrowLeft");
  same("those of the last position", atEnd, await seen());
  await page.context().close();
}

// A dot and a word for each mate that was missed, also where the move cost little or was a mistake, too.
async function missedMates() {
  const page = await open();
  const missed = await page.evaluate(() => main.filter((index) => nodes[index].missed > 0));
  same("the graph shows the missed mates that are counted", await page.locator("#plot circle.missed").count(),
    await page.evaluate(() => G.players[0].missed + G.players[1].missed));
  for (const index of missed) {
    const tip = await page.evaluate((i) => plyTip(plyOf.get(i)), index);
    check("and its text names it", tip.includes("詰み逃し"), tip);
  }
  await page.context().close();
}

async function mistakesAndSums() {
  const page = await open();
  const wanted = await page.evaluate(() => main.filter((index) => nodes[index].mistake > 0 || nodes[index].missed > 0));
  check("the game has mistakes", wanted.length > 3, wanted.length);
  const seen = [];
  while (await page.locator("#keys [data-do='nextMistake']").isEnabled() && seen.length <= wanted.length) {
    await page.locator("#keys [data-do='nextMistake']").click();
    seen.push(await at(page));
  }
  same("the button goes from mistake to mistake", seen, wanted);
  const back = [await at(page)];
  for (let i = 1; i < wanted.length; i++) {
    await page.keyboard.press("p");
    back.push(await at(page));
  }
  same("the key goes back", back.reverse(), wanted);
  await page.keyboard.press("n");
  same("and the other on", await at(page), wanted[1]);
  // The formula by hand.
  const sums = await page.evaluate(() => G.players.map((player, side) => {
    const moves = nodes.filter((node, i) => node.usi && node.cost !== undefined && node.score !== undefined &&
      nodes[node.parent].score !== undefined && nodes[node.parent].pos.side === side);
    const mean = (value) => moves.reduce((sum, node) => sum + value(node), 0) / moves.length;
    return {
      moves: [moves.length, player.moves],
      accuracy: [mean((node) => 100 * Math.exp(-node.cost / 25)), player.accuracy],
      loss: [mean((node) => node.cost), player.loss],
      blunders: [moves.filter((node) => node.mistake === 3).length, player.blunders],
    };
  }));
  check("the accuracy is that of the formula", sums.every((sum) => Object.values(sum).every(([a, b]) => Math.abs(a - b) < 0.15)), sums);
  const table = await page.locator("#sums table").innerText();
  check("and is told", (await page.evaluate(() => G.players.map((sum) => sum.accuracy.toFixed(1)))).every((text) => table.includes(text)), table);
  const missing = wanted.find((index) => index > wanted[0]);
  await page.evaluate((index) => go(index), missing);
  const better = await page.evaluate((index) => `sfen ${parentOf(nodes[index]).sfen} moves ${parentOf(nodes[index]).pv[0]}`, missing);
  await page.locator("#say [data-do='showBest']").click();
  same("the best move beside a mistake leads to its line", await sfen(page), better);
  await page.locator("#say [data-do='leave']").click();
  same("from which a button returns", [await page.evaluate(() => state.line), await at(page)], [null, await page.evaluate((index) => nodes[index].parent, missing)]);
  await page.context().close();
}

async function looks() {
  const page = await open({}, "#30");
  const corner = () => page.evaluate(() => document.querySelector("#board .piece").getAttribute("transform"));
  const unturned = await corner();
  await page.keyboard.press("f");
  check("the board can be flipped", await corner() !== unturned && await corner() !== null);
  await page.keyboard.press("f");
  same("and back", await corner(), unturned);
  await page.keyboard.press("a");
  same("arrows can go", await page.locator("#board .arrow").count(), 0);
  await page.reload();
  same("the choice is kept", await page.locator("#board .arrow").count(), 0);
  await page.keyboard.press("?");
  check("? opens the help", await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  check("Escape closes it", !await page.locator("#help").isVisible());
  for (const lang of ["ja", "en"]) {
    same(`the page is in its language, ${lang}`, await page.evaluate(() => document.documentElement.lang), lang);
    check("without a word missing", !/undefined|NaN|\[object/.test(await page.locator("body").innerText()));
    await page.keyboard.press("l");
  }
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button:not([hidden]), summary, a, [role=slider], [role=img], [role=meter]")]
    .filter((element) => !(element.getAttribute("aria-label") || element.textContent).trim() ||
      /^[^\p{L}\p{N}]*$/u.test(element.getAttribute("aria-label") || element.textContent)).map((element) => element.outerHTML.slice(0, 80)));
  same("all that can be used has a name", nameless, []);
  await page.context().close();
}

async function handicap() {
  const page = await open({}, "#0");
  const expected = await page.evaluate(() => G.handicapName);
  if (expected) {
    check("the handicap is named", (await page.locator("header").innerText()).includes(expected));
    const text = `${await page.locator("#title").innerText()} ${await page.locator("#board").innerHTML()}`;
    check("and the players are 下手 and 上手", text.includes("下手") && text.includes("上手") && !text.includes("先手"));
  }
  await page.context().close();
}

async function copies() {
  const page = await open({}, "#7");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const command = async (name) => {
    await page.locator("#menu summary").click();
    await page.locator(`#menu [data-do='${name}']`).click();
  };
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await command("copySfen");
  await page.locator("#toast.seen").waitFor();
  const { nodes } = JSON.parse(readFileSync(record.replace(/[^.]*$/, "json"), "utf8"));
  same("the SFEN is copied", await clipboard(), nodes[await page.evaluate(() => main[7])].sfen);
  same("all positions are those of the data", await page.evaluate(() => nodes.map(({ sfen }) => sfen)),
    nodes.map((node) => node.sfen));
  same("all moves have the names of the data", await page.evaluate(() => nodes.map(({ move }) => move)),
    nodes.map(({ move }) => move));
  same("so have those of the lines", await page.evaluate(() => nodes.filter(({ usi, parent }) => usi || parent < 0)
    .map((node) => linesOf(node).map((line) => lineWords(node, line).length))),
  nodes.filter(({ usi, parent }) => usi || parent < 0).map((node) => [node, ...(node.others || [])].map(({ pv }) => pv)
    .filter((pv) => pv && pv.length > 0).map((pv) => pv.length)));
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await page.keyboard.press("s");
  await page.waitForFunction(() => navigator.clipboard.readText().then((text) => text !== ""));
  same("by a key, too", await clipboard(), nodes[await page.evaluate(() => main[7])].sfen);
  await command("copyKif");
  await page.waitForFunction(() => navigator.clipboard.readText().then((text) => text.length > 200));
  // The record in the page states its encoding; the file does if its input did.
  const plain = (text) => text.replace(/\r/g, "").replace(/^#KIF.*\n/, "").trim();
  const kept = plain(readFileSync(record, "utf8"));
  same("so is the record", plain(await clipboard()), kept);
  const waiting = page.waitForEvent("download");
  await command("download");
  const saved = await waiting;
  check("the record can be saved", saved.suggestedFilename().endsWith(".kifu"), saved.suggestedFilename());
  same("as it is", plain(readFileSync(await saved.path(), "utf8")), kept);
  await page.context().close();
}

async function fingers() {
  const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, "#5");
  const client = await page.context().newCDPSession(page);
  const swipe = async (fromX, toX, toY = 300) => {
    await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: fromX, y: 300 }] });
    await client.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: (fromX + toX) / 2, y: (300 + toY) / 2 }] });
    await client.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: toX, y: toY }] });
    await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  const ply = () => page.evaluate(() => plyOf.get(state.at));
  await swipe(300, 100);
  same("a swipe to the left goes on", await ply(), 6);
  await swipe(100, 300);
  await swipe(100, 300);
  same("one to the right back", await ply(), 4);
  await swipe(200, 190);
  same("a short one does nothing", await ply(), 4);
  const small = await page.evaluate(() => [...document.querySelectorAll("#keys button")]
    .map((button) => button.getBoundingClientRect()).filter(({ width, height }) => width < 40 || height < 40).length);
  same("buttons are large enough for fingers", small, 0);
  await page.locator("#lines button").nth(1).tap();
  same("a tap enters a line", await page.locator("#lines .on").getAttribute("data-played"), "2");
  await page.context().close();
}

// A phone on its side: the board is whole, and stays beside what is read.
async function lying() {
  const page = await open({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true }, "#5");
  await page.evaluate(() => scrollTo(0, 2000));
  const seen = await page.evaluate(() => ["board", "keys"].map((id) => {
    const { top, bottom } = document.getElementById(id).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }));
  check("it is far down", await page.evaluate(() => scrollY) > 300);
  same("board and buttons are in view on a phone on its side", seen, [true, true]);
  same("nothing is wider than it", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await page.context().close();
}

// The ratio of contrast as WCAG 2 defines it, at least 4.5 for words.
async function colors() {
  const grounds = [];
  for (const colorScheme of ["light", "dark"]) {
    const page = await open({ colorScheme });
    const faint = await page.evaluate(() => {
      const light = (color) => {
        const [r, g, b] = color.match(/[\d.]+/g).map((n) => Number(n) / 255)
          .map((n) => (n <= 0.03928 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const card = light(getComputedStyle(document.getElementById("list")).backgroundColor);
      return [...document.querySelectorAll("#moves .row span, #say p, #sums th, #sums p, #lines button, #lines .score")]
        .map((element) => getComputedStyle(element).color)
        .filter((color, i, all) => all.indexOf(color) === i)
        .filter((color) => {
          const [low, high] = [card, light(color)].sort((a, b) => a - b);
          return (high + 0.05) / (low + 0.05) < 4.5;
        });
    });
    same(`words can be read in ${colorScheme}`, faint, []);
    grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    await page.context().close();
  }
  check("dark is another ground than light", grounds[0] !== grounds[1], grounds);
}

async function withoutScript() {
  const page = await open({ javaScriptEnabled: false });
  const text = await page.locator("#plain").innerText();
  check("without JavaScript the record can be read", await page.locator("#plain").isVisible() && text.includes("手数") && text.includes("評価値="));
  check("and no dead buttons", !await page.locator("header").isVisible() && !await page.locator("#keys").isVisible());
  await page.context().close();
}

check("the page is smaller than 400 kB", statSync(file).size < 400000, statSync(file).size);
const parts = [stepsAndLayout, lines, graph, theEnd, missedMates, mistakesAndSums, looks, handicap, copies, fingers, lying, colors, withoutScript];
for (const part of parts) {
  try {
    await part();
  } catch (error) {
    check(part.name, false, error.message.split("\n").slice(0, 3));
  }
}
same("no script fails and nothing is fetched", troubles, []);
await browser.close();
