// matchpage.js: the page of a tournament. It draws the object in the element #data, which
// docs/match.md describes. page.js and shogi.js are loaded before it.
"use strict";

const D = JSON.parse($("data").textContent);
const E = D.engines;

// ---- Words --------------------------------------------------------------------------------------

const T = {
  ja: {
    other: "English", versus: "対", locale: "ja-JP",
    kinds: {
      "round-robin": "総当たり戦", gauntlet: "ガントレット",
      match: "対局",
    },
    states: { running: "対局中", ended: "終了", interrupted: "中断", merged: "集計" },
    many: (n) => `${n}エンジン`, doneOf: (done, wanted) => (wanted === null ? `${done}局` : `${done} / ${wanted}局`),
    facts: "設定", event: "棋戦", site: "場所", date: "日時", time: "持ち時間", openings: "開始局面",
    rules: "規則", machine: "計算機", program: "プログラム", command: "コマンド", atOnce: "同時対局",
    lasted: "経過", left: "残り (見込み)", kind: "形式", signature: "署名", seed: "乱数の種", options: "オプション",
    evenStart: "平手", openingCount: (n, isRandom) => `${n}局面、${isRandom ? "無作為の順" : "順番どおり"}`,
    maxPlies: (n) => `${n}手で引き分け`,
    resign: ([n, cp]) => `投了判定: ${n}手続けて評価値 −${cp} 以下`,
    draw: ([n, cp, ply]) => `引き分け判定: ${ply}手目から両者${n}手続けて ±${cp} 以内`,
    cores: (n) => `${n}コア`, each: (n) => `${n}局ずつ`, roundsOf: (n) => `${n}回戦`,
    pause: "更新を止める", resume: "更新する", refreshed: (s) => `${s}秒前の状態`,
    stale: (text) => `${text}更新がありません`, noNews: "対局が途中で止まった可能性があります。",
    seconds: "秒", minutes: "分", hours: "時間", days: "日",
    result: "結果", wins: "勝", draws: "分", losses: "敗", elo: "Elo差", nelo: "nElo", los: "優位の確率",
    losHelp: "前者の方が強い確率 (LOS)", pairs: "2局1組の得点", pointsUnit: "点", pairNames: ["0", "½", "1", "1½", "2"],
    copy: "結果をコピー", copied: "コピーしました", notCopied: "コピーできません", error: "± は95％信頼区間",
    accepts: {
      H1: (a, b, test) => `検定はH1を採択: ${a} の ${b} に対する優位は ${test.elo0} ${test.unit} 以下ではなく ${test.elo1} ${test.unit} 以上とみなせます。`,
      H0: (a, b, test) => `検定はH0を採択: ${a} の ${b} に対する優位は ${test.elo1} ${test.unit} 以上ではなく ${test.elo0} ${test.unit} 以下とみなせます。`,
      "goes on": (a, b, test) => `未決: ${test.elo0} と ${test.elo1} ${test.unit} のどちらとも言えません。${test.toward} の採択まで ${test.share} % まで進んでいます。`,
    },
    errorRates: (test) => `LLR ${test.llr} (境界 ${test.lower}、${test.upper})、誤りの確率 α ${test.alpha}、β ${test.beta}、${test.scale}`,
    scales: { normalised: "正規化Elo", logistic: "ロジスティックElo" },
    table: "対戦表", rank: "位", engine: "エンジン", games: "対局", points: "得点", share: "％", wdl: "勝−分−敗",
    playing: "対局中", move: (n) => `${n}手目`, clock: "残り",
    eloChart: (a, b) => `${a} の ${b} に対するElo差`, eloChartAll: "全対局でのElo差", games_x: "対局数",
    llrChart: "LLR (対数尤度比)", interval: "95％信頼区間", accept: (name) => `${name}を採択`,
    speed: "思考と反則負け", perMove: "1手の時間", depth: "深さ", nps: "ノード/秒", faults: "反則・障害による負け",
    asBlack: "先手で", asWhite: "後手で", none: "なし",
    colors: "先後の成績", black: "先手", white: "後手", drawn: "引き分け",
    ends: "終局の理由", lengths: "手数の分布", mean: (n) => `平均 ${n}手`, plies: "手数", pliesUnit: "手",
    ofListed: (n) => `最後の${n}局`,
    number: "番号", winnerColumn: "結果", end: "終局", used: "時間", day: "日時", filter: "エンジン・終局で絞り込み",
    counted: (n, all) => (n === all ? `${all}局` : `${all}局中 ${n}局`), more: (n) => `さらに${n}局`,
    gameNumber: (n) => `第${n}局`, leave: "← 大会", previous: "前の対局", next: "次の対局", mateIn: (n) => `${n}手詰`,
    results: { black: "先手勝ち", white: "後手勝ち", draw: "引き分け" },
    endNames: {
      mate: "詰み", no_moves: "指し手なし", resign: "投了", declaration: "入玉宣言", try: "トライ",
      repetition: "千日手", perpetual_check: "連続王手の千日手", max_plies: "手数制限", adjudged_win: "勝敗の判定",
      adjudged_draw: "引き分けの判定", illegal: "反則手", false_win: "誤った宣言", time: "時間切れ", hang: "応答なし",
      crash: "異常終了", not_ready: "準備できず", protocol: "通信違反",
    },
  },
  en: {
    other: "日本語", versus: "vs", locale: "en-GB",
    kinds: {
      "round-robin": "Round robin", gauntlet: "Gauntlet",
      match: "Match",
    },
    states: { running: "running", ended: "finished", interrupted: "interrupted", merged: "merged" },
    many: (n) => `${n} engines`,
    doneOf: (done, wanted) => (wanted === null ? `${done} game${done === 1 ? "" : "s"}` : `${done} of ${wanted} games`),
    facts: "Settings", event: "Event", site: "Site", date: "Date", time: "Time control", openings: "Openings",
    rules: "Rules", machine: "Machine", program: "Program", command: "Command line", atOnce: "Concurrency",
    lasted: "Elapsed", left: "To go (estimate)", kind: "Format", signature: "Signature", seed: "Seed", options: "Options",
    evenStart: "the start of an even game",
    openingCount: (n, isRandom) => `${n} position${n === 1 ? "" : "s"}, ${isRandom ? "random order" : "in order"}`,
    maxPlies: (n) => `draw after ${n} plies`,
    resign: ([n, cp]) => `resign after ${n} moves at −${cp} or less`,
    draw: ([n, cp, ply]) => `draw from ply ${ply} after ${n} moves of both within ±${cp}`,
    cores: (n) => `${n} cores`, each: (n) => `${n} game${n === 1 ? "" : "s"} each`,
    roundsOf: (n) => `${n} round${n === 1 ? "" : "s"}`,
    pause: "Stop refreshing", resume: "Refresh", refreshed: (s) => `${s} s old`,
    stale: (text) => `no news for ${text}`, noNews: "The match may have been killed.",
    seconds: " s", minutes: " min", hours: " h", days: " d",
    result: "Result", wins: "won", draws: "drawn", losses: "lost", elo: "Elo", nelo: "nElo", los: "LOS",
    losHelp: "likelihood that the first engine is the stronger one", pairs: "Pairs of games by points", pointsUnit: "points",
    pairNames: ["0", "½", "1", "1½", "2"], copy: "Copy as text", copied: "Copied", notCopied: "Cannot copy", error: "± is the 95 % interval",
    accepts: {
      H1: (a, b, test) => `H1 accepted: ${a} is ${test.elo1} ${test.unit} or more ahead of ${b}, rather than ${test.elo0} or less.`,
      H0: (a, b, test) => `H0 accepted: ${a} is ${test.elo0} ${test.unit} or less ahead of ${b}, rather than ${test.elo1} or more.`,
      "goes on": (a, b, test) => `Undecided between ${test.elo0} and ${test.elo1} ${test.unit}: ${test.share} % of the way to ${test.toward}.`,
    },
    errorRates: (test) => `LLR ${test.llr} (bounds ${test.lower} and ${test.upper}), error rates α ${test.alpha}, β ${test.beta}, ${test.scale}`,
    scales: { normalised: "normalised Elo", logistic: "logistic Elo" },
    table: "Cross table", rank: "#", engine: "Engine", games: "Games", points: "Points", share: "%", wdl: "+ = −",
    playing: "In progress", move: (n) => `move ${n}`, clock: "left",
    eloChart: (a, b) => `Elo of ${a} against ${b}`, eloChartAll: "Elo against all others", games_x: "games",
    llrChart: "Log-likelihood ratio", interval: "95 % interval", accept: (name) => `accept ${name}`,
    speed: "Thinking, and games lost by faults", perMove: "Time per move", depth: "Depth", nps: "Nodes/s",
    faults: "Lost by faults", asBlack: "As black", asWhite: "As white", none: "none",
    colors: "Results by colour", black: "Black", white: "White", drawn: "Draws",
    ends: "How games ended", lengths: "Game lengths", mean: (n) => `mean ${n} plies`, plies: "Plies", pliesUnit: "plies",
    ofListed: (n) => `last ${n} games`,
    number: "No.", winnerColumn: "Result", end: "End", used: "Time", day: "Date",
    filter: "Filter by engine or end",
    counted: (n, all) => (n === all ? `${all} games` : `${n} of ${all} games`), more: (n) => `${n} more`,
    gameNumber: (n) => `Game ${n}`, leave: "← Tournament", previous: "Previous game", next: "Next game",
    mateIn: (n) => `mate in ${n}`,
    results: { black: "1–0", white: "0–1", draw: "½–½" },
    endNames: {
      mate: "mate", no_moves: "no moves", resign: "resignation", declaration: "declaration", try: "try",
      repetition: "repetition", perpetual_check: "perpetual check", max_plies: "limit of moves",
      adjudged_win: "adjudicated win", adjudged_draw: "adjudicated draw", illegal: "illegal move",
      false_win: "false declaration", time: "time", hang: "no answer", crash: "crash", not_ready: "not ready",
      protocol: "protocol fault",
    },
  },
};
const t = () => T[look.lang];
const PALETTE = ["#2f7ed8", "#d9482b", "#2e9d4f", "#9b59b6", "#c9862b", "#16a0a0", "#d6478f", "#7f8c8d",
  "#5b6ee1", "#8a9a1f", "#b0553a", "#4aa3df"];
const colorOf = (engine) => PALETTE[D.order.indexOf(engine) % PALETTE.length];

// ---- Texts --------------------------------------------------------------------------------------

const name = (engine) => escapeText(E[engine].name);
const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const minus = (value) => String(value).replace("-", "−");
// A number with its sign; zero has none.
function signed(value, decimals = 1) {
  const text = Math.abs(value).toFixed(decimals);
  return (Number(text) === 0 ? "" : value > 0 ? "+" : "−") + text;
}
const grouped = (value) => value.toLocaleString(t().locale);
const number = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(1));
const endName = (key) => t().endNames[key] || key;

// The 95 % interval; an unknown end is infinite.
const intervalText = (low, high) => `${low === null ? "−∞" : signed(low)} … ${high === null ? "+∞" : signed(high)}`;

// Elo with its error or, if only one end of the interval is known, with the interval.
function eloText({ elo, eloError, eloLow, eloHigh, games, points }) {
  if (games === 0) {
    return "–";
  }
  const text = elo !== null ? signed(elo) : points > games / 2 ? "+∞" : "−∞";
  if ((eloLow === null) !== (eloHigh === null)) {
    return `${text} (${intervalText(eloLow, eloHigh)})`;
  }
  return elo === null ? text : `${text} ± ${eloError === null ? "∞" : eloError.toFixed(1)}`;
}

function spanText(seconds) {
  const words = t();
  const units = [[86400, words.days], [3600, words.hours], [60, words.minutes]];
  const found = units.findIndex(([length]) => seconds >= length);
  if (found < 0) {
    return Math.round(seconds) + words.seconds;
  }
  const [length, word] = units[found];
  const [less, lessWord] = units[found + 1] || [1, words.seconds];
  const rest = Math.floor((seconds % length) / less);
  return Math.floor(seconds / length) + word + (rest > 0 ? ` ${rest}${lessWord}` : "");
}

const dates = () => new Intl.DateTimeFormat(t().locale, { dateStyle: "medium", timeStyle: "short" });
const dateText = (seconds) => dates().format(seconds * 1000);

// Words quoted for a shell.
const quoted = (words) => words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word
  : `'${word.replace(/'/g, "'\\''")}'`)).join(" ");

// ---- Sums ---------------------------------------------------------------------------------------

const points = ([wins, draws]) => wins + draws / 2;
const count = (wdl) => wdl[0] + wdl[1] + wdl[2];
const plus = (a, b) => a.map((value, i) => value + b[i]);
const turned = ([wins, draws, losses]) => [losses, draws, wins];
const total = (encounter) => plus(encounter.black, encounter.white);

// The results of each pair of engines: cross[row][column] is [wins, draws, losses].
const cross = E.map(() => E.map(() => null));
// An engine's results as black and as white.
const byColor = E.map(() => [[0, 0, 0], [0, 0, 0]]);
for (const encounter of D.encounters) {
  const { first, second } = encounter;
  const sum = total(encounter);
  cross[first][second] = plus(cross[first][second] || [0, 0, 0], sum);
  cross[second][first] = plus(cross[second][first] || [0, 0, 0], turned(sum));
  byColor[first] = [plus(byColor[first][BLACK], encounter.black), plus(byColor[first][WHITE], encounter.white)];
  byColor[second] = [plus(byColor[second][BLACK], turned(encounter.white)),
    plus(byColor[second][WHITE], turned(encounter.black))];
}
const isPair = E.length === 2;

// ---- The head and the settings ------------------------------------------------------------------

const players = () => (isPair ? `${E[0].name} ${t().versus} ${E[1].name}` : t().many(E.length));
const kindName = () => t().kinds[isPair && D.kind === "round-robin" ? "match" : D.kind];

function renderHead() {
  const words = t();
  const title = D.event || (isPair ? players() : `${kindName()}: ${players()}`);
  document.documentElement.lang = look.lang;
  $("title").textContent = title;
  document.title = `${title} (${words.doneOf(D.done, D.wanted)})`;
  $("sub").textContent = [D.event ? players() : "", D.event || isPair ? kindName() : "",
    words.doneOf(D.done, D.wanted)].filter(Boolean).join(" · ");
  $("lang").textContent = words.other;
  $("lang").lang = look.lang === "ja" ? "en" : "ja";
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = words[element.dataset.text];
  }
}

function openingsText({ file, count: positions, random }) {
  return file === undefined ? t().evenStart : `${file} (${t().openingCount(positions, random)})`;
}

// The options that all engines share, then those of each engine.
function optionsText() {
  const shared = E[0].options.filter((option) => E.every(({ options }) => options.includes(option)));
  const own = E.map((engine) => [engine.name, engine.options.filter((option) => !shared.includes(option))])
    .filter(([, options]) => options.length > 0).map(([head, options]) => `${head}: ${options.join(" ")}`);
  return [shared.join(" "), ...own].filter(Boolean).join(", ");
}

// The remaining time, if games continue at the speed so far.
function secondsLeft() {
  const played = D.done - D.doneBefore;
  return D.state === "running" && D.wanted !== null && played > 0
    ? (D.now - D.start) * (D.wanted - D.done) / played : null;
}

function renderFacts() {
  const words = t();
  const times = [...new Set(E.map(({ time }) => time))];
  const left = secondsLeft();
  const rules = D.rule === undefined ? [] : [D.rule, D.maxPlies ? words.maxPlies(D.maxPlies) : "",
    D.resign ? words.resign(D.resign) : "", D.draw ? words.draw(D.draw) : ""];
  const facts = [
    [words.event, D.event], [words.site, D.site],
    [words.date, D.start ? dates().formatRange(D.start * 1000, D.now * 1000) : dateText(D.now)],
    [words.lasted, D.start ? spanText(D.now - D.start) : ""],
    [words.left, left === null ? "" : spanText(left)],
    [words.kind, [kindName(), words.roundsOf(D.roundCount), words.each(D.gamesPerEncounter)].slice(0, D.wanted === null && isPair ? 1 : 3).join(", ")],
    [words.time, times.length === 1 ? times[0] : E.map((engine) => `${engine.name}: ${engine.time}`).join(", ")],
    [words.options, optionsText()],
    [words.openings, D.openings ? openingsText(D.openings) : ""],
    [words.seed, String(D.seed)],
    [words.rules, rules.filter(Boolean).join(", ")],
    [words.atOnce, D.concurrency ? String(D.concurrency) : ""],
    [words.machine, D.cores ? [D.machine, words.cores(D.cores)].filter(Boolean).join(", ") : ""],
    [words.program, [D.program, D.build].filter(Boolean).join(", ")],
    [words.signature, D.done ? D.signature : ""],
  ];
  const command = ["komadori-match", ...D.command];
  $("facts").innerHTML = `<h2>${words.facts}</h2><dl>` + facts.filter(([, text]) => text)
    .map(([head, text]) => `<dt>${head}</dt><dd>${escapeText(text)}</dd>`).join("") +
    `</dl><details><summary>${words.command}</summary><code>${escapeText(quoted(command))}</code></details>`;
}

// ---- The result of two engines --------------------------------------------------------------------------

// Shares as a bar: [count, text] of each part.
function sharesHtml(parts) {
  const sum = parts.reduce((all, [part]) => all + part, 0);
  return sum === 0 ? "" : `<div class="shares">${parts.map(([part, text], i) =>
    (part === 0 ? "" : `<span class="s${i}" style="flex:${part}" title="${text}">${text}</span>`)).join("")}</div>`;
}

function sprtWords() {
  const { sprt } = D;
  const bound = sprt.llr < 0 ? sprt.lower : sprt.upper;
  const test = {
    ...Object.fromEntries(["elo0", "elo1", "llr", "lower", "upper"].map((key) => [key, minus(sprt[key])])),
    alpha: sprt.alpha, beta: sprt.beta, unit: sprt.model === "normalised" ? "nElo" : "Elo", toward: sprt.llr < 0 ? "H0" : "H1",
    share: Math.min(100, 100 * sprt.llr / bound).toFixed(0), scale: t().scales[sprt.model],
  };
  return `<p class="verdict ${sprt.state}">${t().accepts[sprt.state](name(0), name(1), test)}<br>` +
    `<span class="dim small">${t().errorRates(test)}</span></p>`;
}

function renderResult() {
  if (!isPair) {
    return;
  }
  const words = t();
  const [a, b] = E;
  const [wins, draws, losses] = a.score;
  const numbers = [
    [words.elo, eloText(a), words.error], [words.nelo, a.nelo === null || a.games === 0 ? "–" : `${signed(a.nelo)}` +
      (a.neloError === null ? "" : ` ± ${a.neloError.toFixed(1)}`), ""],
    [words.los, a.los === null || a.games === 0 ? "–" : `${a.los.toFixed(1)} %`, words.losHelp],
  ];
  $("result").innerHTML = `<h2>${words.result}</h2><div class="score"><b>${name(0)}</b>` +
    `<span class="points">${number(a.points)} – ${number(b.points)}</span><b>${name(1)}</b></div>` +
    sharesHtml([[wins, `${wins} ${words.wins}`], [draws, `${draws} ${words.draws}`], [losses, `${losses} ${words.losses}`]]) +
    `<dl class="numbers">${numbers.map(([head, text, help]) =>
      `<div title="${help}"><dt>${head}</dt><dd>${text}</dd></div>`).join("")}</dl>` +
    (D.sprt ? sprtWords() : "") + (a.pairs && a.pairs.some(Boolean) ? pairsHtml(a.pairs) : "") +
    (a.games ? `<button id="copy" type="button">${words.copy}</button>` : "");
}

// The result as English text, for a commit message or a forum.
function resultText() {
  const [a, b] = E;
  const { sprt } = D;
  const same = a.time === b.time;
  return [
    `${a.name} against ${b.name} (${a.time}${same ? "" : ` against ${b.time}`})`,
    `Elo    ${eloText(a)}, LOS ${a.los === null ? "–" : `${a.los.toFixed(1)} %`}`,
    sprt ? `SPRT   LLR ${sprt.llr} (${sprt.lower}, ${sprt.upper}) [${sprt.elo0}, ${sprt.elo1}], ${sprt.model}: ` +
      (sprt.state === "goes on" ? "undecided" : `${sprt.state} accepted`) : "",
    `games  ${a.games}: +${a.score[0]} =${a.score[1]} -${a.score[2]}`,
    a.pairs ? `pairs  [${a.pairs.join(", ")}]` : "",
  ].filter(Boolean).join("\n").replace(/−/g, "-") + "\n";
}

// The five possible sums of a pair of games.
function pairsHtml(pairs) {
  const words = t();
  return `<h2>${words.pairs}</h2>` +
    barsSvg(pairs.map((value, i) => [words.pairNames[i], value]), { label: words.pairs, tall: 90, unit: words.pointsUnit });
}

// ---- The cross table ----------------------------------------------------------------------------

function crossCell(row, column) {
  const wdl = cross[row][column];
  if (row === column) {
    return `<td class="self"></td>`;
  }
  if (!wdl || count(wdl) === 0) {
    return `<td></td>`;
  }
  return `<td title="${name(row)} – ${name(column)}: +${wdl[0]} =${wdl[1]} −${wdl[2]}">` +
    `<button type="button" data-pair="${row},${column}">${number(points(wdl))}/${count(wdl)}</button></td>`;
}

// The columns before those of the opponents: [head, function that returns the cell, help].
function tableColumns() {
  const words = t();
  return [
    [words.games, (engine) => E[engine].games],
    [words.points, (engine) => `<b>${number(E[engine].points)}</b>`],
    [words.share, (engine) => (E[engine].games ? (100 * E[engine].points / E[engine].games).toFixed(1) : "–")],
    [words.wdl, (engine) => `+${E[engine].score[0]} =${E[engine].score[1]} −${E[engine].score[2]}`],
    [words.elo, (engine) => eloText(E[engine]), words.error],
    [words.los, (engine) => (E[engine].los === null || !E[engine].games ? "–" : `${E[engine].los.toFixed(1)} %`), words.losHelp],
  ];
}

function renderTable() {
  const words = t();
  const columns = tableColumns();
  const heads = columns.map(([head, , help]) => `<th${help ? ` title="${help}"` : ""}>${head}</th>`);
  const others = D.order.map((engine, rank) => `<th title="${name(engine)}">${rank + 1}</th>`);
  const rows = D.order.map((engine, rank) => `<tr><td>${rank + 1}</td>` +
    `<th scope="row"><span class="swatch" style="background:${colorOf(engine)}"></span>${name(engine)}</th>` +
    columns.map(([, text]) => `<td>${text(engine)}</td>`).join("") +
    D.order.map((opponent) => crossCell(engine, opponent)).join("") + `</tr>`);
  $("table").innerHTML = `<h2>${words.table}</h2><div class="wide"><table class="cross"><thead><tr><th>${words.rank}</th>` +
    `<th class="text">${words.engine}</th>${heads.join("")}${others.join("")}</tr></thead>` +
    `<tbody>${rows.join("")}</tbody></table></div>`;
}

// ---- Charts -------------------------------------------------------------------------------------

// About five round numbers from low to high.
function ticks(low, high, most = 5) {
  const raw = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw * 0.999);
  const found = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + step * 1e-6; value += step) {
    found.push(Math.abs(value) < step / 1e6 ? 0 : value);
  }
  return found;
}
const tickText = (value) => minus(Number(value.toPrecision(6)));

// Curves over numbers of games. chart: {title, unit, xs, series: [{label, color, ys}], band: {label,
// color, low, high}, levels: [{y, label, color}]}. Shows the values at the pointer.
function drawChart(element, chart) {
  element.innerHTML = `<h2>${chart.title}</h2><div class="chart"><svg role="img"></svg><div class="tip" hidden></div></div>` +
    `<p class="legend">${legend(chart)}</p>`;
  const svg = element.querySelector("svg");
  const width = Math.max(280, svg.clientWidth || 800);
  const plot = { left: 52, right: 12, top: 8, width, height: 250, bottom: 34 };
  const all = chart.series.flatMap(({ ys }) => settled(ys)).concat((chart.levels || []).map(({ y }) => y),
    chart.band ? settled(chart.band.low).concat(settled(chart.band.high)) : []);
  const known = all.filter((y) => y !== null && y !== undefined);
  const [low, high] = [Math.min(0, ...known), Math.max(0, ...known)];
  const room = Math.max((high - low) * 0.05, 0.5);
  const span = { low: low - room, high: high + room, x: Math.max(1, chart.xs[chart.xs.length - 1] || 1) };
  const x = (value) => plot.left + (width - plot.left - plot.right) * value / span.x;
  const inner = plot.height - plot.top - plot.bottom;
  const y = (value) => plot.top + inner * (span.high - Math.max(span.low, Math.min(span.high, value))) / (span.high - span.low);
  svg.setAttribute("viewBox", `0 0 ${width} ${plot.height}`);
  svg.setAttribute("height", plot.height);
  svg.setAttribute("aria-label", chart.title);
  svg.innerHTML = axesSvg(chart, plot, span, x, y) + bandSvg(chart, x, y) +
    chart.series.map(({ ys, color }) => curveSvg(chart.xs, ys, color, x, y)).join("") + `<path class="cursor"/>`;
  watchChart(element, chart, { plot, span, x, width });
}

// Values after the first tenth: before that, the error is so large that it would hide all else.
const settled = (ys) => ys.slice(Math.floor(ys.length / 10));

const legend = (chart) => [...chart.series, ...(chart.band ? [chart.band] : []), ...(chart.levels || [])]
  .filter(({ label }) => label).map(({ label, color, low }) => `<span><span class="swatch" ` +
    `style="background:${color}${low ? ";opacity:0.3" : ""}"></span>${label}</span>`).join("");

function axesSvg(chart, plot, span, x, y) {
  const right = plot.width - plot.right;
  const low = plot.height - plot.bottom;
  const out = [`<rect class="frame" x="${plot.left}" y="${plot.top}" width="${right - plot.left}" height="${low - plot.top}"/>`];
  for (const value of ticks(span.low, span.high)) {
    out.push(`<path class="${value === 0 ? "zero" : "tick"}" d="M${plot.left},${y(value).toFixed(1)}H${right}"/>`,
      `<text x="${plot.left - 6}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${tickText(value)}</text>`);
  }
  for (const value of ticks(0, span.x, Math.min(8, plot.width / 90)).filter(Number.isInteger)) {
    out.push(`<path class="tick" d="M${x(value).toFixed(1)},${low}v4"/>`,
      `<text x="${x(value).toFixed(1)}" y="${low + 16}" text-anchor="middle">${grouped(value)}</text>`);
  }
  out.push(`<text x="${(plot.left + right) / 2}" y="${plot.height - 3}" text-anchor="middle">${t().games_x}</text>`,
    `<text transform="translate(14 ${(plot.top + low) / 2}) rotate(-90)" text-anchor="middle">${chart.unit}</text>`);
  for (const { y: at, color } of chart.levels || []) {
    out.push(`<path class="level" style="stroke:${color}" d="M${plot.left},${y(at).toFixed(1)}H${right}"/>`);
  }
  return out.join("");
}

function curveSvg(xs, ys, color, x, y) {
  let isOn = false;
  const d = ys.map((value, i) => {
    const word = value === null ? "" : `${isOn ? "L" : "M"}${x(xs[i]).toFixed(1)},${y(value).toFixed(1)}`;
    isOn = value !== null;
    return word;
  }).join("");
  const only = ys.filter((value) => value !== null).length === 1 ? ys.findIndex((value) => value !== null) : -1;
  return `<path class="curve" style="stroke:${color}" d="${d}"/>` + (only < 0 ? ""
    : `<circle r="3" fill="${color}" cx="${x(xs[only])}" cy="${y(ys[only])}"/>`);
}

// An interval is drawn if at least one end is known. An unknown end is at the edge of the plot.
const isKnown = ({ low, high }, i) => low[i] !== null || high[i] !== null;
function bandSvg({ xs, band }, x, y) {
  const at = band ? xs.map((_, i) => i).filter((i) => isKnown(band, i)) : [];
  const side = (ys, unknown, order) => order.map((i) => `${x(xs[i]).toFixed(1)},${y(ys[i] ?? unknown).toFixed(1)}`).join("L");
  return at.length < 2 ? "" : `<path class="band" style="fill:${band.color}" ` +
    `d="M${side(band.low, -Infinity, at)}L${side(band.high, Infinity, [...at].reverse())}Z"/>`;
}

function watchChart(element, chart, { plot, span, x, width }) {
  const svg = element.querySelector("svg");
  const tip = element.querySelector(".tip");
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const part = ((event.clientX - box.left) * width / box.width - plot.left) / (width - plot.left - plot.right);
    const at = chart.xs.reduce((best, value, i) =>
      (Math.abs(value - part * span.x) < Math.abs(chart.xs[best] - part * span.x) ? i : best), 0);
    const lines = chart.series.filter(({ ys }) => ys[at] !== null && ys[at] !== undefined)
      .map(({ label, ys }) => `${label}: ${signed(ys[at], 2)}`);
    if (chart.band && isKnown(chart.band, at)) {
      lines.push(`${chart.band.label}: ${intervalText(chart.band.low[at], chart.band.high[at])}`);
    }
    tip.textContent = [`${grouped(chart.xs[at])} ${t().games_x}`, ...lines].join("\n");
    tip.hidden = chart.xs.length === 0;
    const left = x(chart.xs[at]) * box.width / width;
    tip.style.left = left > box.width / 2 ? "" : `${left + 14}px`;
    tip.style.right = left > box.width / 2 ? `${box.width - left + 14}px` : "";
    svg.querySelector(".cursor").setAttribute("d", `M${x(chart.xs[at])},${plot.top}V${plot.height - plot.bottom}`);
  });
  svg.addEventListener("pointerleave", () => {
    tip.hidden = true;
    svg.querySelector(".cursor").setAttribute("d", "");
  });
}

function renderCurves() {
  const words = t();
  const { stride, elo, low, high, llr } = D.history;
  const length = Object.values(elo)[0].length;
  $("elo").className = $("llr").className = llr ? "half" : "";
  if (length === 0) {
    return;
  }
  const xs = Array.from({ length }, (_, i) => (i + 1) * stride);
  const band = isPair ? { label: words.interval, color: PALETTE[0], low, high } : undefined;
  const series = isPair ? [{ label: words.elo, color: PALETTE[0], ys: elo[0] }]
    : D.order.filter((engine) => elo[engine]).map((engine) => ({ label: name(engine), color: colorOf(engine), ys: elo[engine] }));
  drawChart($("elo"), {
    title: isPair ? words.eloChart(name(0), name(1)) : words.eloChartAll, unit: "Elo", xs, series, band,
  });
  if (llr) {
    const { lower, upper } = D.sprt;
    drawChart($("llr"), {
      title: words.llrChart, unit: "LLR", xs, series: [{ label: "LLR", color: PALETTE[0], ys: llr }],
      levels: [{ y: upper, label: words.accept("H1"), color: "#2e9d4f" }, { y: lower, label: words.accept("H0"), color: "#d9482b" }],
    });
  }
}

// Vertical bars with their numbers: rows of [label, value]. Labels that do not fit are left out;
// `unit` is their unit.
function barsSvg(rows, { label, unit, tall = 150, width = 360 }) {
  const most = Math.max(1, ...rows.map(([, value]) => value));
  const step = width / rows.length;
  const every = Math.ceil(34 / step);
  const height = tall + 54;
  return `<div class="chart bars"><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">` +
    `<path class="zero" d="M0,${tall + 18}H${width}"/>` + rows.map(([text, value], i) => {
      const size = tall * value / most;
      const middle = ((i + 0.5) * step).toFixed(1);
      return (value ? `<rect class="bar" x="${(i * step + step * 0.1).toFixed(1)}" y="${(tall + 18 - size).toFixed(1)}" ` +
        `width="${(step * 0.8).toFixed(1)}" height="${size.toFixed(1)}"><title>${text}: ${value}</title></rect>` : "") +
        (value && step > 20 ? `<text x="${middle}" y="${(tall + 14 - size).toFixed(1)}" text-anchor="middle">${value}</text>` : "") +
        (i % every === 0 ? `<text x="${middle}" y="${tall + 32}" text-anchor="middle">${text}</text>` : "");
    }).join("") + `<text x="${width / 2}" y="${height - 4}" text-anchor="middle">${unit}</text></svg></div>`;
}

// ---- Engines, colours, ends, lengths ------------------------------------------------------------

function renderSpeed() {
  const words = t();
  const rows = D.order.map((engine) => {
    const { ms, depth, nps, faults, moves, time, options } = E[engine];
    const color = (side) => {
      const wdl = byColor[engine][side];
      return count(wdl) ? `${(100 * points(wdl) / count(wdl)).toFixed(1)} % <span class="dim">+${wdl[0]} =${wdl[1]} −${wdl[2]}</span>` : "–";
    };
    const lost = Object.entries(faults).map(([key, n]) => `${endName(key)} ${n}`).join(", ");
    return `<tr><th scope="row" title="${escapeText(options.join(", "))}">${name(engine)}</th><td class="text">${escapeText(time)}</td>` +
      `<td>${moves ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : "–"}</td><td>${depth === undefined ? "–" : depth.toFixed(1)}</td>` +
      `<td>${nps === undefined ? "–" : grouped(nps)}</td><td>${color(BLACK)}</td><td>${color(WHITE)}</td>` +
      `<td class="text ${lost ? "m2" : "dim"}">${lost || words.none}</td></tr>`;
  });
  $("speed").innerHTML = `<h2>${words.speed}</h2><div class="wide"><table><thead><tr><th class="text">${words.engine}</th>` +
    `<th class="text">${words.time}</th><th>${words.perMove}</th><th>${words.depth}</th><th>${words.nps}</th>` +
    `<th>${words.asBlack}</th><th>${words.asWhite}</th><th class="text">${words.faults}</th></tr></thead>` +
    `<tbody>${rows.join("")}</tbody></table></div>`;
}

function renderColors() {
  const words = t();
  const draws = D.done - D.blackWins - D.whiteWins;
  const parts = [[words.black, D.blackWins], [words.drawn, draws], [words.white, D.whiteWins]];
  const share = (value) => `${(100 * value / Math.max(D.done, 1)).toFixed(1)} %`;
  $("colors").innerHTML = `<h2>${words.colors}</h2>${sharesHtml(parts.map(([, value]) => [value, share(value)]))}` +
    `<table><tbody>${parts.map(([head, value], i) => `<tr><th scope="row"><span class="swatch" ` +
      `style="background:var(--${["black", "line", "white"][i]})"></span>${head}</th><td>${value}</td><td>${share(value)}</td></tr>`).join("")}</tbody></table>`;
}

function renderEnds() {
  const rows = Object.entries(D.ends).sort(([, a], [, b]) => b - a);
  $("ends").innerHTML = `<h2>${t().ends}</h2><table><tbody>${rows.map(([key, n]) =>
    `<tr><th scope="row"><button type="button" data-end="${key}">${endName(key)}</button></th><td>${n}</td>` +
    `<td>${(100 * n / D.done).toFixed(1)} %</td></tr>`).join("")}</tbody></table>`;
}

function renderLengths() {
  const words = t();
  const longest = Math.max(0, ...D.games.map(({ plies }) => plies));
  const step = [5, 10, 20, 40, 80, 160, 320].find((size) => longest / size < 14) || 1000;
  const bins = Array.from({ length: Math.floor(longest / step) + 1 }, (_, i) => [String(i * step), 0]);
  for (const { plies } of D.games) {
    bins[Math.floor(plies / step)][1]++;
  }
  const part = D.games.length < D.done ? ` (${words.ofListed(D.games.length)})` : "";
  $("lengths").innerHTML = `<h2>${words.lengths} <span class="dim">${words.mean(D.length)}${part}</span></h2>` +
    barsSvg(bins, { label: words.lengths, unit: words.pliesUnit });
}

// ---- Games --------------------------------------------------------------------------------------

const shown = { key: "number", isUp: true, most: 100, pair: null };
const usedTime = ({ ms }) => (ms[0] + ms[1]) / 1000;
const usedText = (seconds) => (seconds < 60 ? `${seconds.toFixed(1)}${t().seconds}` : timeText(seconds));
const winnerOf = (game) => (game.winner === "draw" ? null : game[game.winner]);
const COLUMNS = {
  number: { value: (game) => game.game + 1, html: numberHtml, isNumber: true },
  black: { value: (game) => E[game.black].name, html: (game) => playerHtml(game, game.black) },
  white: { value: (game) => E[game.white].name, html: (game) => playerHtml(game, game.white) },
  winnerColumn: { value: (game) => t().results[game.winner] },
  end: { value: (game) => endName(game.end), html: (game) => `${endName(game.end)}` +
    (game.detail ? ` <span class="dim">${escapeText(cut(game.detail, 60))}</span>` : "") },
  plies: { value: (game) => game.plies, isNumber: true },
  used: { value: usedTime, html: (game) => usedText(usedTime(game)), isNumber: true },
  day: { value: (game) => game.last || 0, html: (game) => (game.last ? dateText(game.last) : "") },
};

// The number links to the game if its moves are still known.
function numberHtml(game) {
  return game.moves === undefined ? String(game.game + 1) : `<a href="#game=${game.game + 1}">${game.game + 1}</a>`;
}
const playerHtml = (game, engine) => `<span${winnerOf(game) === engine ? ` class="won"` : ""}>${name(engine)}</span>`;

// Numbers are compared as numbers, words as words.
function chosenGames() {
  const words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (game) => `${E[game.black].name} ${E[game.white].name} ${endName(game.end)} ${game.end} ${t().results[game.winner]}`.toLowerCase();
  const { value } = COLUMNS[shown.key];
  const order = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, look.lang));
  return D.games.filter((game) => words.every((word) => text(game).includes(word)) &&
    (!shown.pair || (shown.pair.includes(game.black) && shown.pair.includes(game.white))))
    .sort((a, b) => order(value(a), value(b)) * (shown.isUp ? 1 : -1));
}

function renderGames() {
  const words = t();
  const games = chosenGames();
  $("filter").placeholder = words.filter;
  $("filter").setAttribute("aria-label", words.filter);
  $("count").textContent = words.counted(games.length, D.games.length) +
    (shown.pair ? ` (${shown.pair.map((engine) => E[engine].name).join(" – ")})` : "");
  $("head").innerHTML = Object.entries(COLUMNS).map(([key, { isNumber }]) => {
    const isOn = shown.key === key;
    return `<th scope="col" aria-sort="${isOn ? (shown.isUp ? "ascending" : "descending") : "none"}"` +
      `${isNumber ? "" : ` class="text"`}><button type="button" data-key="${key}">${words[key]}` +
      `${isOn ? (shown.isUp ? " ▲" : " ▼") : ""}</button></th>`;
  }).join("");
  $("rows").innerHTML = games.slice(0, shown.most).map((game) => `<tr>${Object.values(COLUMNS).map(({ value, html, isNumber }) =>
    `<td${isNumber ? "" : ` class="text"`}>${html ? html(game) : escapeText(String(value(game)))}</td>`).join("")}</tr>`).join("");
  $("more").hidden = games.length <= shown.most;
  $("more").textContent = words.more(Math.min(500, games.length - shown.most));
}

function showOnly(pair, filter) {
  shown.pair = pair;
  $("filter").value = filter;
  renderGames();
  $("games").scrollIntoView({ block: "start" });
}

// ---- One game -----------------------------------------------------------------------------------

// A score as in match.md: centipawns, and mates beyond 100,000.
const MATE = 100000;
function scoreOf(told) {
  if (Math.abs(told) <= MATE) {
    return { score: told, win: 100 / (1 + Math.exp(-told / 600)) };
  }
  const plies = 2 * MATE - Math.abs(told);
  return { score: told, win: told > 0 ? 100 : 0, mate: told > 0 ? plies : -plies };
}
const scoreText = (told) => {
  const { mate } = scoreOf(told);
  return mate === undefined ? minus(sign(told)) : `${mate > 0 ? "+" : "−"}${t().mateIn(Math.abs(mate))}`;
};

const EVEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

// The start position and all moves of a game: {sfen, moves, opening}; `opening` moves are the opening's.
function wholeGame({ start, moves }) {
  const [setup, given = ""] = start.split(/ moves ?/);
  const words = (text) => text.split(" ").filter(Boolean);
  const opening = words(given);
  return {
    sfen: setup.startsWith("startpos") ? EVEN : setup.replace(/^sfen /, ""),
    moves: [...opening, ...words(moves)], opening: opening.length,
  };
}

function endedText(game, words) {
  if (game.winner === undefined) {
    return words.playing;
  }
  const winner = winnerOf(game) === null ? "" : ` (${E[winnerOf(game)].name})`;
  return `${words.results[game.winner]}${winner}: ${words.endNames[game.end] || game.end}` +
    (game.detail ? ` (${game.detail})` : "");
}

// The data for gameview.js.
function viewOf(game, ply) {
  const { sfen, moves, opening } = wholeGame(game);
  const nodes = [{ parent: -1, ply: 0, sfen }];
  moves.forEach((usi, i) => {
    const node = { parent: i, ply: i + 1, usi };
    const at = i - opening;
    if (game.scores && at >= 0) {
      Object.assign(node, game.scores[at] === null ? {} : scoreOf(game.scores[at]));
      Object.assign(node, { time: game.times[at] / 1000, depth: game.depths[at] });
      node.pv = game.lines[at] || "";
    }
    nodes.push(node);
  });
  if (game.winner !== undefined) {
    nodes.push({
      parent: moves.length, ply: moves.length,
      move: T.ja.endNames[game.end], west: T.en.endNames[game.end],
    });
  }
  const players = [BLACK, WHITE].map((side) => ({
    time: game.ms ? game.ms[side] / 1000 : playedTime(game, side) / 1000,
    moves: game.ms ? game.count[side] : 0, nodes: game.nodes ? game.nodes[side] : 0,
    left: game.left ? game.left[side] / 1000 : -1,
  }));
  const headers = [["棋戦", D.event || ""], ["開始日時", game.since ? dateText(game.since) : ""]];
  return {
    black: E[game.black].name, white: E[game.white].name, headers, handicap: sfen.split(" ")[1] === "w", nodes,
    match: { players, ended: { ja: endedText(game, T.ja), en: endedText(game, T.en) }, ply: ply ?? nodes.length - 1 },
  };
}

// The time of a side's moves so far, in milliseconds.
function playedTime(game, side) {
  const { sfen, opening } = wholeGame(game);
  const first = ((sfen.split(" ")[1] === "w" ? 1 : 0) + opening) % 2;
  return game.times.reduce((sum, ms, i) => sum + ((first + i) % 2 === side ? ms : 0), 0);
}

const findGame = (number) => [...D.playing, ...D.games].find(({ game, moves }) => game === number - 1 && moves !== undefined);

// State that is kept when the page reloads itself. Storage may be forbidden.
function keep(key, value) {
  try {
    sessionStorage.setItem(`komadori-match ${key}`, value);
  } catch {
    // Then nothing is kept.
  }
}
function kept(key) {
  try {
    return sessionStorage.getItem(`komadori-match ${key}`) || "";
  } catch {
    return "";
  }
}

// Shows the game named by the address ("#game=12") over the page, or the page itself.
function showView() {
  const number = Number((/^#game=(\d+)$/.exec(location.hash) || [])[1]);
  const game = findGame(number);
  $("view").hidden = !game;
  document.body.style.overflow = game ? "hidden" : "";
  if (!game) {
    $("frame").srcdoc = "";
    return;
  }
  const [keptGame, keptPly] = kept("ply").split(" ").map(Number);
  const view = JSON.stringify(viewOf(game, keptGame === number ? keptPly : undefined)).replace(/</g, "\\u003c");
  const parts = { "@DATA@": view, "@RECORD@": "", "@PICTURES@": "" };
  $("frame").srcdoc = JSON.parse($("game-page").textContent).replace(/@(DATA|RECORD|PICTURES)@/g, (place) => parts[place]);
  $("frame").title = $("view-name").textContent = `${t().gameNumber(number)}: ${E[game.black].name} – ${E[game.white].name}`;
  $("leave").textContent = t().leave;
  const numbers = viewNumbers();
  const at = numbers.indexOf(number);
  for (const [id, step] of [["previous", -1], ["next", 1]]) {
    $(id).disabled = numbers[at + step] === undefined;
    $(id).dataset.number = numbers[at + step] ?? "";
    $(id).setAttribute("aria-label", t()[id]);
  }
}
const viewNumbers = () => [...D.playing, ...D.games].filter(({ moves }) => moves !== undefined)
  .map(({ game }) => game + 1).sort((a, b) => a - b);

// The page of a game reports the reader's position.
function onMessage({ source, data }) {
  if (source !== $("frame").contentWindow) {
    return;
  }
  const number = (/^#game=(\d+)$/.exec(location.hash) || [])[1];
  if (data.leaves) {
    location.hash = "";
  } else if (number) {
    const game = findGame(Number(number));
    const isAtEnd = game.winner === undefined && data.ply >= wholeGame(game).moves.length;
    keep("ply", isAtEnd ? "" : `${number} ${data.ply}`);
  }
}

// ---- Games in progress ----------------------------------------------------------------------------

function playingHtml(game) {
  const words = t();
  const { sfen, moves } = wholeGame(game);
  const pos = moves.reduce(play, parseSfen(sfen));
  const lastOf = (side) => {
    const first = (pos.side + moves.length) % 2;
    const opening = moves.length - game.scores.length;
    const at = game.scores.findLastIndex((told, i) => told !== null && (first + opening + i) % 2 === side);
    return at < 0 ? "–" : scoreText(game.scores[at]);
  };
  const picture = boardSvg(pos, {
    ...look, isTall: true, isFlipped: false, hasCoordinates: false, last: moves[moves.length - 1],
    names: [E[game.black].name, E[game.white].name],
  });
  const { width, height } = boardLayout(true);
  const line = (side) => `<p><span>${side === BLACK ? "▲" : "△"} ${lastOf(side)}</span><span class="dim">` +
    `${game.left[side] < 0 ? "" : `${words.clock} ${timeText(game.left[side] / 1000)}`}</span></p>`;
  return `<a href="#game=${game.game + 1}"><p><b>${words.gameNumber(game.game + 1)}</b><span class="dim">${words.move(moves.length)}</span></p>` +
    `<svg class="board" viewBox="0 0 ${width} ${height}" role="img" aria-label="${name(game.black)} – ${name(game.white)}">${picture}</svg>` +
    `${line(BLACK)}${line(WHITE)}</a>`;
}

function renderPlaying() {
  $("playing").innerHTML = D.playing.length === 0 ? ""
    : `<h2>${t().playing}</h2><div class="cards">${D.playing.map(playingHtml).join("")}</div>`;
}

// ---- The page reloads itself while games are played -----------------------------------------

const EVERY = 10; // seconds
const STALE = 300;
let timer = 0;
const age = () => Math.max(0, Date.now() / 1000 - D.now);
const isPaused = () => kept("pause") === "yes";

// Not while somebody is typing.
function reload() {
  if (document.activeElement === $("filter")) {
    refresh();
  } else {
    keep("filter", $("filter").value);
    location.reload();
  }
}

// A page that has not changed for long is reloaded less often.
function refresh() {
  clearTimeout(timer);
  if (D.state === "running" && !isPaused()) {
    timer = setTimeout(reload, 1000 * Math.max(EVERY, Math.min(60, age() / 10)));
  }
}

// ---- The whole page -----------------------------------------------------------------------------

function renderState() {
  const words = t();
  const isRunning = D.state === "running";
  const isStale = isRunning && age() > STALE;
  $("state").textContent = words.states[D.state] + (isStale ? ` (${words.stale(spanText(age()))})` : "");
  $("state").title = isStale ? words.noNews : "";
  $("state").className = D.state;
  $("pause").hidden = !isRunning;
  $("pause").textContent = isPaused() ? words.resume : words.pause;
}

function renderAll() {
  document.body.classList.toggle("many", E.length > 4);
  renderHead();
  renderState();
  renderFacts();
  renderResult();
  renderTable();
  renderPlaying();
  renderCurves();
  renderSpeed();
  renderColors();
  renderEnds();
  renderLengths();
  renderGames();
}

function watchAll() {
  $("lang").addEventListener("click", () => {
    look.lang = look.lang === "ja" ? "en" : "ja";
    saveLook();
    renderAll();
  });
  $("pause").addEventListener("click", () => {
    keep("pause", isPaused() ? "" : "yes");
    renderState();
    refresh();
  });
  $("leave").addEventListener("click", () => {
    location.hash = "";
  });
  for (const id of ["previous", "next"]) {
    $(id).addEventListener("click", () => {
      location.hash = `#game=${$(id).dataset.number}`;
    });
  }
  addEventListener("hashchange", () => {
    keep("ply", "");
    loadLook();
    renderAll();
    showView();
  });
  addEventListener("message", onMessage);
  $("frame").addEventListener("load", () => $("view").hidden || $("frame").focus());
  $("head").addEventListener("click", (event) => {
    const { key } = event.target.dataset;
    if (key) {
      shown.isUp = shown.key === key ? !shown.isUp : true;
      shown.key = key;
      renderGames();
      $("head").querySelector(`[data-key="${key}"]`).focus();
    }
  });
  $("filter").addEventListener("input", () => {
    shown.pair = null;
    renderGames();
  });
  $("more").addEventListener("click", () => {
    shown.most += 500;
    renderGames();
  });
  document.addEventListener("click", (event) => {
    const { pair, end } = event.target.dataset;
    if (event.target.id === "copy") {
      copy(resultText());
    }
    if (pair) {
      showOnly(pair.split(",").map(Number), "");
    } else if (end) {
      showOnly(null, end);
    }
  });
  addEventListener("resize", renderCurves);
}

loadLook();
$("filter").value = kept("filter");
keep("filter", "");
renderAll();
watchAll();
showView();
refresh();
