// gameview.js: the page of one game. It draws the JSON in the element #data. page.js and shogi.js, with
// the rules, are loaded before it. `state` and `look` contain everything that changes, and render()
// draws them. In a game between engines (D.match is set), each position has the score and the line
// that the engine reported for its move to this position.
"use strict";

const D = JSON.parse($("data").textContent);
const N = D.nodes;
const isMatch = Boolean(D.match);

// ---- Words --------------------------------------------------------------------------------------

const T = {
  ja: {
    sides: ["先手", "後手"], handicapSides: ["下手", "上手"], start: "開始局面", versus: "対",
    score: "評価値", chances: (side) => `${side}勝率`, depth: "深さ", best: "最善", loss: "損失", time: "時間",
    toMove: "の番", mateIn: (n) => `${n}手詰`, mated: "詰み", missed: "詰み逃し", missedMark: "詰!",
    byRule: { declaration: "入玉宣言勝ち", try: "トライ勝ち" },
    mistakes: ["", "疑問手", "悪手", "大悪手"], unknown: "この局面の解析はありません。", untold: "エンジンは評価値を出していません。",
    used: "消費時間", perMove: "1手平均", nps: "ノード/秒", clock: "残り時間",
    by: "解析", games: "対局一覧", other: "English", help: "使い方", menu: "メニュー", close: "閉じる",
    flip: "盤を反転", kanji: "駒の字 (1字/2字)", coordinates: "座標", arrows: "候補手の矢印",
    copySfen: "局面のSFENをコピー", copyKif: "棋譜 (KIF) をコピー", copyUsi: "棋譜 (USI) をコピー", download: "棋譜を保存 (.kifu)",
    copied: "コピーしました", notCopied: "コピーできません", saved: "保存します",
    first: "最初の局面", back: "一手戻る", forward: "一手進む", last: "最後の局面",
    previousMistake: "前の間違い", nextMistake: "次の間違い", quiz: "指し直す",
    quizLong: "この間違いの前から指してみる", moves: "指し手", lines: "候補手", threat: "相手の狙い", board: "盤面",
    graph: "形勢グラフ", accuracy: "正確さ", average: "平均損失",
    histogram: "損失の分布 (手数)", promote: "成", keep: "不成", move: "手目",
    basis: (scale) => `1手の正確さは 100·e^(−損失/25)、表はその平均。損失は勝率 1/(1+e^(−評価値/${scale})) の低下 (％)。`,
    limits: (d, n) => `深さ ${d}${n ? `、1局面 ${n} ノード` : ""}の解析による目安。`,
    question: (n, all) => `間違い ${n}/${all}`,
    ask: (who) => `${who}の番です。実戦より良い手を盤上で指してください。`,
    answers: {
      best: "最善手です。", mate: "詰みです。", game: "実戦と同じ手です。",
      known: (rank) => `${rank}番目の候補手です。`,
      unknown: "この手は解析されていないため、評価できません。",
    },
    costs: (n) => `最善手より勝率が ${n} % 下がります。`,
    own: "自分の手順", retry: "もう一度", solve: "答えを見る", leave: "戻る", nextQuestion: "次へ", line: (n) => `候補${n}`,
    showBest: "最善の手順を盤上で見る", copyThis: "SFENをコピー", drop: "手順を消す",
    show: (n) => `${n}手`,
    keys: [
      ["← →", "一手ずつ (手順の中でも)"], ["Home End", "最初・最後の局面"],
      ["↑ ↓", "変化・候補手の切り替え"], ["1–5", "候補手の手順に入る"], ["Esc", "手順や問題から戻る"], ["M", "盤上で手を指す (マウスなら駒を押す)"],
      ["N P", "次・前の間違い"], ["T", "間違いの前から指してみる"], ["B", "間違いの代わりの最善の手順"], ["F", "盤を反転"],
      ["K", "駒の1字・2字"], ["C", "座標"], ["A", "矢印"], ["S", "局面のSFENをコピー"], ["L", "English"], ["?", "使い方"],
      ["盤上", "矢印キーで升を選び Enter。持ち駒は p l n s g b r"],
    ],
    touch: "候補手は指やマウスで選べます。重ねるとその局面、押すと手順に入ります。駒を押すと、どの局面からでも自分の手を指せます。" +
      "スマートフォンでは盤を左右にスワイプすると、一手ずつ進めたり戻したりできます。",
  },
  en: {
    sides: ["Black", "White"], handicapSides: ["Shitate", "Uwate"], start: "Start", versus: "vs",
    score: "score", chances: (side) => `${side}’s chances`, depth: "depth", best: "best", loss: "loss", time: "time",
    toMove: " to move", mateIn: (n) => `mate in ${n}`, mated: "mated", missed: "missed mate",
    byRule: { declaration: "win by declaration", try: "win by a try" },
    missedMark: "mate!", mistakes: ["", "dubious move", "mistake", "blunder"],
    unknown: "This position was not analysed.", untold: "The engine reported no score.",
    used: "time used", perMove: "time per move", nps: "nodes/s", clock: "clock", by: "analysed by", games: "games",
    other: "日本語", help: "Help", menu: "Menu", close: "Close", flip: "Flip the board",
    kanji: "One or two kanji", coordinates: "Coordinates", arrows: "Arrows of the lines",
    copySfen: "Copy SFEN", copyKif: "Copy KIF", copyUsi: "Copy the game (USI)", download: "Download the record (.kifu)",
    copied: "Copied", notCopied: "Cannot copy", saved: "Saving",
    first: "First position", back: "Back", forward: "Forward", last: "Last position",
    previousMistake: "Previous mistake", nextMistake: "Next mistake", quiz: "Try again",
    quizLong: "Find a better move than this mistake", moves: "Moves", lines: "Lines", threat: "Threat",
    board: "Board", graph: "Winning chances",
    accuracy: "Accuracy", average: "Average loss", histogram: "Moves by loss", promote: "Promote",
    keep: "Do not", move: "move",
    basis: (scale) => `Accuracy: mean of 100·e^(−loss/25) over the moves. Loss: drop in % of the winning ` +
      `chances 1/(1+e^(−score/${scale})). `,
    limits: (d, n) => `An estimate: depth ${d}${n ? `, ${n} nodes per position` : ""}.`,
    question: (n, all) => `Mistake ${n} of ${all}`,
    ask: (who) => `${who} to move. On the board, play a better move than in the game.`,
    answers: {
      best: "The best move.", mate: "Checkmate.", game: "The move of the game.",
      known: (rank) => `The move of line ${rank}.`,
      unknown: "This move was not analysed.",
    },
    costs: (n) => `It costs ${n} % of the winning chances against the best move.`,
    own: "your own move", retry: "Try again", solve: "Show the answer", leave: "Return", nextQuestion: "Next",
    line: (n) => `Line ${n}`, showBest: "Show the best line on the board", copyThis: "Copy SFEN",
    drop: "Delete", show: (n) => `${n} moves`,
    keys: [
      ["← →", "step through the game, or through a line"], ["Home End", "first and last position"],
      ["↑ ↓", "change between variations or lines"], ["1–5", "enter a line"],
      ["Esc", "leave a line or a question"],
      ["M", "play a move on the board (or click on a piece)"], ["N P", "next and previous mistake"],
      ["T", "try to find a better move than a mistake"], ["B", "the best line instead of a mistake"],
      ["F", "flip the board"],
      ["K", "one or two kanji"], ["C", "coordinates"], ["A", "arrows"],
      ["S", "copy the SFEN of the position"], ["L", "日本語"],
      ["?", "this help"],
      ["board", "arrow keys choose a square, Enter takes it; p l n s g b r for pieces in hand"],
    ],
    touch: "Point at a move of a line to see the position after it; click it to enter the line. " +
      "Click on a piece to play moves of your own from any position. On a phone swipe the board to step through the game.",
  },
};
// ---- The game -----------------------------------------------------------------------------------

// In the list, each node comes after its parent. The node of an ending has the position of its parent
// with all that is known about it.
N.forEach((node, index) => {
  node.index = index;
  node.kids = [];
  for (const line of [node, ...(node.others || [])]) {
    line.pv = (line.pv || "").split(" ").filter(Boolean);
  }
  if (node.parent < 0) {
    node.pos = parseSfen(node.sfen);
    return;
  }
  const { pos, kids } = N[node.parent];
  kids.push(index);
  if (node.usi && !node.move) {
    node.move = moveText(pos, node.usi, "ja");
    node.west = moveText(pos, node.usi, "en");
  }
  node.pos = node.usi ? play(pos, node.usi) : pos;
  if (!node.usi) {
    const { score, win, mate, declared, depth, pv, others, threat } = N[node.parent];
    Object.assign(node, { score, win, mate, declared, depth, pv, others, threat });
  }
});
const main = [0];
while (N[main[main.length - 1]].kids.length > 0) {
  main.push(N[main[main.length - 1]].kids[0]);
}
const plyOf = new Map(main.map((index, ply) => [index, ply]));
const parentOf = (node) => (node.parent >= 0 ? N[node.parent] : null);
const sideToMove = (node) => node.pos.side;
const isMistake = (node) => node.mistake > 0 || node.missed > 0;
const mistakes = main.filter((index) => isMistake(N[index]));

// The moves of one side for which the positions before and after have a score.
const judgedMoves = (side) => main.map((index) => N[index]).filter((node) =>
  node.cost !== undefined && node.usi && node.score !== undefined &&
  parentOf(node).score !== undefined && sideToMove(node) !== side);

// The lines of a position, best first: [{score, win, mate, declared, pv, words}]. `words`, the text of
// the moves, is computed when a line is first shown. A declaration has no moves and is not among them.
const lineCache = new Map();
function linesOf(node) {
  if (!lineCache.has(node.index)) {
    const lines = [node, ...(node.others || [])].filter(({ pv }) => pv && pv.length > 0);
    lineCache.set(node.index, lines.map(({ score, win, mate, declared, pv }) => {
      let words = null;
      return { score, win, mate, declared, pv, get words() { return (words = words || lineTexts(node.pos, pv)); } };
    }));
  }
  return lineCache.get(node.index);
}
// What the other side would play if the side to move passed.
function threatWords(node) {
  const { threat } = node;
  const pos = { ...node.pos, side: other(node.pos.side) };
  const moves = lineTexts(pos, threat.pv.split(" ").filter(Boolean))[look.lang];
  return `${t().threat} ${scoreText(threat)}: ${moves.slice(0, 5).join(" ")}`;
}
function lineTexts(start, pv) {
  const words = { ja: [], en: [] };
  let pos = start;
  for (const usi of pv) {
    words.ja.push(moveText(pos, usi, "ja"));
    words.en.push(moveText(pos, usi, "en"));
    pos = play(pos, usi);
  }
  return words;
}
const mostLines = Math.max(1, ...main.map((index) => linesOf(N[index]).length));

// ---- State --------------------------------------------------------------------------------------

// at: the index of the node shown. line: the engine line that the reader has entered, {rank, played}.
// peek: the position under the pointer, which is shown instead, {at, line}. quiz: the question being
// asked, see startQuiz(). hold: the move that the reader is entering outside a question, see table().
const state = { at: 0, line: null, peek: null, quiz: null, hold: null };

// ---- Texts --------------------------------------------------------------------------------------

const t = () => T[look.lang];
const sideWord = (side) => (D.handicap ? t().handicapSides : t().sides)[side];
const playerName = (side) => (side === BLACK ? D.black : D.white) || sideWord(side);
const moveName = (node) => (look.lang === "en" && node.west) || node.move || t().start;
const markOf = (node) => (node.missed ? t().missedMark : ["", "?!", "?", "??"][node.mistake || 0]);
const faultWords = (node) => [t().mistakes[node.mistake || 0], node.missed ? t().missed : ""].filter(Boolean);
const classOf = (node) => (node.missed && !node.mistake ? "missed" : `m${node.mistake || 0}`);

// Scores and winning chances are from black's point of view.
const chancesWord = () => t().chances(sideWord(BLACK));

function scoreText({ score, mate, declared }) {
  if (score === undefined) {
    return "";
  }
  if (declared) {
    return (score > 0 ? "+" : "−") + t().byRule[declared];
  }
  if (mate === 0) {
    return t().mated;
  }
  return mate === undefined ? sign(score) : (mate > 0 ? "+" : "−") + t().mateIn(Math.abs(mate));
}

// The comment without the lines that engines write for programs.
const ownComment = (node) => (node.comment || "").split("\n")
  .filter((line) => !/^[#*]/.test(line)).join("\n").trim();

// ---- The board ----------------------------------------------------------------------------------

// A position of the game, or of an engine line that starts there: {pos, last, next}. `next` is the
// line's next move.
function shownPosition(at, line) {
  let { pos } = N[at];
  let last = N[at].usi;
  if (!line) {
    return { pos, last };
  }
  const { pv } = linesOf(N[at])[line.rank];
  for (const usi of pv.slice(0, line.played)) {
    pos = play(pos, usi);
    last = usi;
  }
  return { pos, last, next: pv[line.played] };
}

function arrowsFor(at, line, next) {
  if (!look.hasArrows) {
    return [];
  }
  if (line) {
    return next ? [{ usi: next, strength: 0.7 }] : [];
  }
  return linesOf(N[at]).map(({ pv }, rank) => ({ usi: pv[0], strength: 1 / (1 + rank * 0.8) }));
}

// After an answer, an arrow for the best reply, if it is known.
function answerArrows({ answer, node, target }) {
  if (answer && answer.kind === "game") {
    return arrowsFor(target.index, null);
  }
  const line = answer && answer.rank !== undefined ? linesOf(node)[answer.rank] : null;
  return line && line.pv.length > 1 && look.hasArrows ? [{ usi: line.pv[1], strength: 0.7 }] : [];
}

function renderBoard() {
  const { quiz } = state;
  const { at, line } = state.peek || state;
  const shown = quiz && !state.peek ? quiz : shownPosition(at, line);
  const hides = quiz && !quiz.answer;
  const held = hides ? quiz : state.hold;
  const note = sideWord(shown.pos.side) + t().toMove;
  $("board").innerHTML = boardSvg(shown.pos, {
    ...look,
    names: [BLACK, WHITE].map((side) => (D.handicap && playerName(side) !== sideWord(side)
      ? `${sideWord(side)} ${playerName(side)}` : playerName(side))),
    note,
    last: shown.last,
    arrows: quiz && !state.peek ? answerArrows(quiz) : arrowsFor(at, line, shown.next),
    ...(held && !state.peek ? { picked: held.picked, cursor: held.cursor, targets: held.targets } : {}),
  });
  $("board").setAttribute("aria-label", `${t().board}: ${sayMove(N[at])} ${note}`);
  $("board").classList.toggle("playing", !quiz || hides);
}

const sayMove = (node) => (node.usi ? `${node.ply} ` : "") + moveName(node);

// The score of the position shown or, inside a line, of that line.
function renderBar() {
  const { at, line } = state.peek || state;
  const { quiz } = state;
  const judged = line ? linesOf(N[at])[line.rank] : quiz && !state.peek ? quiz.node : N[at];
  const isKnown = judged.win !== undefined;
  const bar = $("bar");
  bar.classList.toggle("unknown", !isKnown);
  bar.classList.toggle("flipped", look.isFlipped);
  bar.style.setProperty("--share", `${isKnown ? judged.win : 50}%`);
  bar.setAttribute("aria-valuenow", isKnown ? judged.win : 50);
  bar.setAttribute("aria-valuetext", isKnown ? `${judged.win.toFixed(0)} %, ${scoreText(judged)}` : "");
  bar.title = isKnown ? `${chancesWord()} ${judged.win.toFixed(0)} %` : "";
  $("percent").textContent = isKnown ? judged.win.toFixed(0) : "";
}

// ---- The text beside the board ------------------------------------------------------------------

const paragraph = (html, name = "") => `<p class="${name}">${html}</p>`;
const command = (name, word, hint = "") => `<button type="button" data-do="${name}" title="${hint}">${word}</button>`;
const heading = (html, ...buttons) => paragraph(`<span class="what">${html}</span><span class="do">${buttons.join("")}</span>`, "heading");

function renderSay() {
  $("say").innerHTML = state.quiz ? quizWords(state.quiz)
    : state.line ? lineWords(N[state.at], state.line) : positionWords(N[state.at]);
}

function lineWords(node, { rank, played }) {
  const line = linesOf(node)[rank];
  const words = t();
  return heading(`<b>${words.line(rank + 1)}</b> ${played}/${line.pv.length}`, command("leave", words.leave, "Esc")) +
    paragraph(`${words.score} ${scoreText(line)} · ${chancesWord()} ${line.win.toFixed(0)} %`) +
    paragraph(escapeText(`${sayMove(node)} → ${line.words[look.lang].slice(0, played).join(" ")}`));
}

function positionWords(node) {
  const words = t();
  const before = parentOf(node);
  let head = `<b>${escapeText(sayMove(node))}</b> ` +
    `<span class="${classOf(node)}">${faultWords(node).join(" ")}</span>`;
  if (node.time !== undefined && maxTime > 0) {
    head += ` <span class="dim">${timeText(node.time)}</span>`;
  }
  if (node.isOwn) {
    head += ` <span class="dim">${words.own}</span>`;
  }
  const out = [heading(head, ...(node.isOwn ? [command("copySfen", words.copyThis, "S"), command("drop", words.drop), command("leave", words.leave, "Esc")] : []))];
  if (node.score !== undefined && node.usi && isMatch) {
    out.push(paragraph(`${escapeText(playerName(other(sideToMove(node))))}: ${words.score} ${scoreText(node)} · ` +
      `${words.depth} ${node.depth}`));
  } else if (node.score !== undefined && !isMatch) {
    out.push(paragraph(`${words.score} ${scoreText(node)} · ${chancesWord()} ${node.win.toFixed(0)} % · ` +
      `${words.depth} ${node.depth}${node.cost > 0 ? ` · ${words.loss} ${node.cost} %` : ""}`));
  }
  if (isMistake(node) && before.declared && before.pv.length === 0) {
    out.push(paragraph(`${words.best} ${words.byRule[before.declared]}`));
  } else if (isMistake(node) && linesOf(before).length > 0) {
    const better = linesOf(before)[0].words[look.lang].slice(0, 3).join(" ");
    out.push(paragraph(`${words.best} ${command("showBest", escapeText(better), `${words.showBest} (B)`)}`));
  }
  if (node.threat && node.threat.pv) {
    out.push(paragraph(escapeText(threatWords(node))));
  }
  const comment = ownComment(node);
  if (comment) {
    out.push(paragraph(escapeText(comment)));
  }
  return out.join("");
}

// Lists the engine's lines; each of their moves is a button.
function renderLines() {
  const node = state.quiz ? state.quiz.node : N[state.at];
  const lines = linesOf(node);
  $("lines").innerHTML = lines.map((line, rank) => {
    const moves = line.words[look.lang].map((word, index) =>
      `<button type="button" tabindex="${index ? -1 : 0}" data-rank="${rank}" ` +
      `data-played="${index + 1}">${escapeText(word)}</button>`);
    return `<li class="${rank ? "" : "first"}"><span class="score">${scoreText(line)}</span>` +
      `<span class="moves">${moves.join("")}</span></li>`;
  }).join("") || `<li class="dim">${node.score !== undefined ? "" : isMatch && !node.isOwn ? t().untold : t().unknown}</li>`;
  markLine();
}

function markLine() {
  const { line } = state;
  for (const button of $("lines").querySelectorAll("[data-rank]")) {
    const isOn = line && Number(button.dataset.rank) === line.rank &&
      Number(button.dataset.played) === line.played;
    button.classList.toggle("on", Boolean(isOn));
    button.toggleAttribute("aria-current", Boolean(isOn));
    if (isOn) {
      bringIntoView(button.closest("li"), button);
    }
  }
}

// Scrolls the box, but not the page, until the element in it is visible.
function bringIntoView(box, element) {
  const [around, inner] = [box, element].map((one) => one.getBoundingClientRect());
  if (inner.left < around.left || inner.right > around.right) {
    box.scrollLeft += inner.left - around.left - box.clientWidth / 3;
  }
  if (inner.top < around.top || inner.bottom > around.bottom) {
    box.scrollTop += inner.top - around.top - box.clientHeight / 3;
  }
}

// ---- The list of moves --------------------------------------------------------------------------

const notedClass = (node) => (ownComment(node) ? " noted" : "");

function moveRow(node) {
  return `<button type="button" class="row${notedClass(node)}" data-at="${node.index}" tabindex="-1">` +
    `<span class="ply">${node.usi ? node.ply : ""}</span>` +
    `<span class="${classOf(node)}">${escapeText(moveName(node))} ${markOf(node)}</span>` +
    `<span class="score">${scoreText(node)}</span></button>`;
}

// A variation, followed by the variations that branch off from it.
function variation(index) {
  const inner = [];
  let out = "";
  for (let node = N[index]; node; node = N[node.kids[0]]) {
    const isFirst = node.index === index;
    out += `<button type="button" class="${node.isOwn ? "own" : ""}${notedClass(node)}" data-at="${node.index}" tabindex="-1">` +
      `${isFirst ? `${node.ply} ` : ""}${escapeText(moveName(node))}</button> `;
    inner.push(...(isFirst ? [] : parentOf(node).kids.slice(1)));
  }
  return `<div class="var">${out}</div>${inner.map(variation).join("")}`;
}

function renderMoves() {
  $("moves").innerHTML = main.map((index) => {
    const before = parentOf(N[index]);
    return moveRow(N[index]) + (before ? before.kids.slice(1).map(variation).join("") : "");
  }).join("") + N[main[main.length - 1]].kids.map(variation).join("");
}

// Marks the move shown and makes it visible by scrolling only the list.
function markMove() {
  for (const button of $("moves").querySelectorAll(".on")) {
    button.classList.remove("on");
    button.removeAttribute("aria-current");
    button.tabIndex = -1;
  }
  const on = $("moves").querySelector(`[data-at="${state.at}"]`);
  if (!on) {
    return;
  }
  on.classList.add("on");
  on.setAttribute("aria-current", "true");
  on.tabIndex = 0;
  const box = $("moves");
  if (on.offsetTop < box.scrollTop || on.offsetTop > box.scrollTop + box.clientHeight - 30) {
    box.scrollTop = on.offsetTop - box.clientHeight / 2;
  }
}

// ---- Statistics of both players -----------------------------------------------------------------

const SUM_ROWS = [
  ["accuracy", (sum) => `${sum.accuracy.toFixed(1)} %`],
  ["dubious", null], ["mistakes", null], ["blunders", null], ["missed", null],
  ["average", (sum) => `${sum.loss.toFixed(1)} %`],
];
// The moves that a row counts. A click on the number goes to them.
const COUNTED = {
  dubious: (node) => node.mistake === 1,
  mistakes: (node) => node.mistake === 2,
  blunders: (node) => node.mistake === 3,
  missed: (node) => node.missed > 0,
};

// The engines' time, depth and speed, and how the game ended.
function renderEngines() {
  const words = t();
  const told = [BLACK, WHITE].map((side) => main.map((index) => N[index])
    .filter((node) => node.usi && node.depth > 0 && sideToMove(node) !== side));
  const rows = [
    [words.used, ({ time }) => (time < 60 ? `${time.toFixed(1)} s` : timeText(time))],
    [words.perMove, ({ time, moves }) => (moves ? `${(time / moves).toFixed(2)} s` : "–")],
    [words.depth, (_, side) => (told[side].length
      ? (told[side].reduce((sum, { depth }) => sum + depth, 0) / told[side].length).toFixed(1) : "–")],
    [words.nps, ({ time, nodes }) => (nodes && time ? Math.round(nodes / time).toLocaleString(look.lang) : "–")],
    [words.clock, ({ left }) => (left >= 0 ? timeText(left) : "–")],
  ];
  const heads = [BLACK, WHITE].map((side) => `<th scope="col" title="${escapeText(playerName(side))}">` +
    `<span class="swatch ${side ? "white" : ""}">■</span> ${escapeText(playerName(side))}</th>`);
  $("sums").innerHTML = `<table><thead><tr><td></td>${heads.join("")}</tr></thead><tbody>` +
    rows.map(([head, text]) => [head, ...D.match.players.map(text)])
      .filter(([, black, white]) => black !== "–" || white !== "–")
      .map(([head, black, white]) => `<tr><th scope="row">${head}</th><td>${black}</td><td>${white}</td></tr>`).join("") +
    `</tbody></table><p class="ended">${escapeText(D.match.ended[look.lang])}</p>`;
}

function renderSums() {
  if (isMatch) {
    renderEngines();
    return;
  }
  const words = t();
  const names = {
    accuracy: words.accuracy, dubious: words.mistakes[1], mistakes: words.mistakes[2],
    blunders: words.mistakes[3], missed: words.missed, average: words.average,
  };
  const heads = [BLACK, WHITE].map((side) => `<th scope="col" title="${escapeText(playerName(side))}">` +
    `<span class="swatch ${side ? "white" : ""}">■</span> ${escapeText(playerName(side))}</th>`);
  const rows = SUM_ROWS.map(([key, text]) => {
    const cells = D.players.map((sum, side) => {
      if (text || !sum.moves) {
        return `<td>${sum.moves ? text(sum) : "–"}</td>`;
      }
      return `<td><button type="button" data-count="${key}" data-side="${side}" ` +
        `aria-label="${names[key]} ${sum[key]}, ${escapeText(playerName(side))}"` +
        `${sum[key] ? "" : " disabled"}>${sum[key]}</button></td>`;
    });
    const level = ["dubious", "mistakes", "blunders"].indexOf(key) + 1;
    const name = key === "missed" ? "missed" : `m${level}`;
    return `<tr><th scope="row" class="${name}">${names[key]}</th>${cells.join("")}</tr>`;
  });
  const judged = main.map((index) => N[index]).filter(({ depth, nodes }) => depth > 0 && nodes !== undefined);
  const mean = (key) => judged.length
    ? Math.round(judged.reduce((sum, node) => sum + node[key], 0) / judged.length) : 0;
  $("sums").innerHTML = `<table><thead><tr><td></td>${heads.join("")}</tr></thead>` +
    `<tbody>${rows.join("")}</tbody></table>${histogramSvg()}` +
    `<p>${words.basis(D.scale || 600)}${words.limits(mean("depth"), mean("nodes") ? mean("nodes").toLocaleString(look.lang) : "")}</p>`;
}

// The bins of the histogram of losses.
const BINS = [0, 1, 2.5, 5, 10, 20, 40, Infinity];
const isInBin = (bin) => ({ cost }) => cost >= BINS[bin] && cost < BINS[bin + 1];
const binText = (bin) => (bin < BINS.length - 2 ? `${BINS[bin]}–${BINS[bin + 1]}` : `${BINS[bin]}– %`);

// Draws the histogram. A click on a bar goes to the moves that it counts.
function histogramSvg() {
  const width = 320;
  const height = 80;
  const base = height - 16;
  const counts = [BLACK, WHITE].map((side) => BINS.slice(1).map((_, bin) => judgedMoves(side).filter(isInBin(bin)).length));
  const most = Math.max(1, ...counts.flat());
  const step = width / (BINS.length - 1);
  const bars = counts.map((row, side) => row.map((count, bin) => {
    const x = bin * step + 5 + side * (step / 2 - 4);
    const tall = (base - 16) * count / most;
    const wide = step / 2 - 6;
    return count === 0 ? "" : `<rect class="side${side}" x="${x.toFixed(1)}" ` +
      `y="${(base - tall).toFixed(1)}" width="${wide.toFixed(1)}" height="${tall.toFixed(1)}"/>` +
      `<text class="small" text-anchor="middle" x="${(x + step / 4 - 3).toFixed(1)}" ` +
      `y="${(base - 3 - tall).toFixed(1)}">${count}</text>` +
      `<rect class="hit" tabindex="0" role="button" data-bin="${bin}" data-side="${side}" x="${x.toFixed(1)}" y="0" ` +
      `width="${wide.toFixed(1)}" height="${base}"><title>${escapeText(playerName(side))}: ${t().loss} ${binText(bin).replace(/ %$/, "")} %, ` +
      `${t().show(count)}</title></rect>`;
  }));
  const labels = BINS.slice(0, -1).map((_, bin) => `<text class="small" text-anchor="middle" ` +
    `x="${(bin + 0.5) * step}" y="${height - 3}">${binText(bin)}</text>`);
  return `<p>${t().histogram}</p><svg id="histogram" viewBox="0 0 ${width} ${height}" role="group" ` +
    `aria-label="${t().histogram}"><path class="axis" d="M0,${base}h${width}"/>` +
    `${bars.flat().join("")}${labels.join("")}</svg>`;
}

// ---- The graph: winning chances, and below them the loss and the time of each move --------------

const plot = { left: 46, right: 10, width: 900, height: 212 };
const maxLoss = isMatch ? 0 : Math.max(20, ...main.map((index) => N[index].cost || 0));
const maxTime = Math.max(0, ...main.map((index) => N[index].time || 0));
plot.bottom = plot.height - 16;
plot.time = maxTime > 0 ? { low: plot.bottom, tall: 28 } : null;
plot.loss = { low: plot.bottom - (plot.time ? 34 : 0), tall: isMatch ? 0 : 34 };
plot.course = { top: 6, tall: plot.loss.low - plot.loss.tall - 14 };

const plotX = (ply) => plot.left +
  (plot.width - plot.left - plot.right) * ply / Math.max(main.length - 1, 1);
const plotY = (win) => plot.course.top + plot.course.tall * (100 - win) / 100;

function renderPlot() {
  plot.width = Math.max(300, $("plot").clientWidth || 900);
  $("plot").setAttribute("viewBox", `0 0 ${plot.width} ${plot.height}`);
  $("plot").innerHTML = [plotGrid(), plotCourse(), plotBars(), `<path class="now" id="now"/>`].join("");
  renderNow();
}

function plotGrid() {
  const { left, course, loss, time, bottom } = plot;
  const right = plot.width - plot.right;
  const out = [`<rect class="axis" x="${left}" y="${course.top}" width="${right - left}" ` +
    `height="${course.tall}"/>`];
  for (const score of [2000, 1000, 500, 0, -500, -1000, -2000]) {
    const y = plotY(100 / (1 + Math.exp(-score / (D.scale || 600)))).toFixed(1);
    out.push(`<path class="axis" d="M${left},${y}H${right}"/>`,
      Math.abs(score) === 2000 ? "" : `<text class="small" x="${left - 5}" y="${Number(y) + 4}" ` +
        `text-anchor="end">${sign(score)}</text>`);
  }
  const step = [10, 20, 50, 100, 200].find((every) => main.length / every * 34 < right - left) || 500;
  for (let ply = 0; ply < main.length; ply += step) {
    out.push(`<text class="small" x="${plotX(ply).toFixed(1)}" y="${plot.height - 3}" ` +
      `text-anchor="middle">${ply}</text>`);
  }
  const named = [[loss, t().loss, `${Math.round(maxLoss)} %`], [time, t().time, maxTime < 60 && isMatch ? `${maxTime.toFixed(1)} s` : timeText(maxTime)]];
  for (const [band, name, most] of named.filter(([band]) => band && band.tall > 0)) {
    out.push(`<path class="axis" d="M${left},${band.low}H${right}"/>`,
      `<text class="small" x="${left - 5}" y="${band.low - band.tall / 2}" text-anchor="end">${name}</text>`,
      `<text class="small" x="${left - 5}" y="${band.low - 1}" text-anchor="end">${most}</text>`);
  }
  return out.join("") + `<path class="axis" d="M${left},${bottom}H${right}"/>`;
}

// The winning chances that each engine reported, all from black's point of view.
function plotCourses() {
  return [BLACK, WHITE].map((side) => {
    const points = main.map((index, ply) => [N[index], ply])
      .filter(([node]) => node.usi && node.win !== undefined && sideToMove(node) !== side)
      .map(([node, ply]) => `${plotX(ply).toFixed(1)},${plotY(node.win).toFixed(1)}`);
    return points.length === 0 ? "" : `<path class="course of${side}" d="M${points.join("L")}"/>`;
  }).join("");
}

function plotCourse() {
  if (isMatch) {
    return plotCourses();
  }
  const known = main.map((index, ply) => [N[index], ply]).filter(([node]) => node.win !== undefined);
  if (known.length === 0) {
    return "";
  }
  const middle = plotY(50);
  const point = ([node, ply], limit) =>
    `${plotX(ply).toFixed(1)},${limit(plotY(node.win), middle).toFixed(1)}`;
  const ends = [known[0], known[known.length - 1]].map(([, ply]) => `${plotX(ply).toFixed(1)},${middle}`);
  const area = (side) => `<path class="area side${side}" d="M${ends[0]}L` +
    known.map((at) => point(at, side === BLACK ? Math.min : Math.max)).join("L") + `L${ends[1]}Z"/>`;
  const dots = known.filter(([node]) => isMistake(node)).map(([node, ply]) =>
    `<circle class="${node.mistake ? `mark${node.mistake}` : ""}${node.missed ? " missed" : ""}" cx="${plotX(ply).toFixed(1)}" ` +
    `cy="${plotY(node.win).toFixed(1)}" r="${(2.5 + (node.mistake || 1)) * (plot.width < 500 ? 0.7 : 1)}"/>`);
  return area(BLACK) + area(WHITE) +
    `<path class="course" d="M${known.map((at) => point(at, (y) => y)).join("L")}"/>` + dots.join("");
}

function plotBars() {
  const wide = Math.max(1, Math.min(9, (plotX(1) - plotX(0)) * 0.7));
  const bar = (ply, band, part, name) => `<rect class="${name}" ` +
    `x="${(plotX(ply) - wide / 2).toFixed(1)}" y="${(band.low - part * band.tall).toFixed(1)}" ` +
    `width="${wide.toFixed(1)}" height="${(part * band.tall).toFixed(1)}"/>`;
  return main.map((index, ply) => {
    const node = N[index];
    const side = `side${other(sideToMove(node))}`;
    const name = node.mistake ? `mark${node.mistake}` : side;
    return (node.cost > 0 ? bar(ply, plot.loss, node.cost / maxLoss, name) : "") +
      (node.time > 0 ? bar(ply, plot.time, node.time / maxTime, side) : "");
  }).join("");
}

// Draws the vertical line at the position shown, and describes that position for screen readers.
function renderNow() {
  const at = state.peek ? state.peek.at : state.at;
  const ply = plyOf.get(at);
  if (ply !== undefined) {
    $("now").setAttribute("d", `M${plotX(ply).toFixed(1)},${plot.course.top}V${plot.bottom}`);
    $("plot").setAttribute("aria-valuenow", ply);
  }
  $("plot").setAttribute("aria-valuetext", `${sayMove(N[at])} ${scoreText(N[at])}`);
}

function plyAt(clientX) {
  const box = $("plot").getBoundingClientRect();
  const part = (clientX - box.left - plot.left) / (plot.width - plot.left - plot.right);
  return Math.max(0, Math.min(main.length - 1, Math.round(part * (main.length - 1))));
}

function showTip(ply) {
  const node = N[main[ply]];
  const lines = [[sayMove(node), ...faultWords(node)].join(" ")];
  if (node.score !== undefined) {
    lines.push(`${scoreText(node)} (${node.win.toFixed(0)} %)` +
      (node.cost > 0 ? `  ${t().loss} ${node.cost} %` : ""));
  }
  if (node.time !== undefined && maxTime > 0) {
    lines.push(`${t().time} ${timeText(node.time)}`);
  }
  const tip = $("tip");
  tip.textContent = lines.join("\n");
  tip.hidden = false;
  const x = plotX(ply);
  tip.style.left = x > plot.width / 2 ? "" : `${x + 20}px`;
  tip.style.right = x > plot.width / 2 ? `${plot.width - x + 20}px` : "";
}

// ---- Navigation ---------------------------------------------------------------------------------

// Draws everything that depends on `state`.
function render() {
  document.body.classList.toggle("asking", Boolean(state.quiz && !state.quiz.answer));
  renderBoard();
  renderBar();
  renderSay();
  renderLines();
  renderNow();
  markMove();
  renderButtons();
}

function renderButtons() {
  const button = (name) => document.querySelector(`#keys [data-do="${name}"]`);
  const ply = plyOf.get(state.at) || 0;
  const wanted = wantedMistakes();
  button("quiz").disabled = !state.quiz && !isMistake(N[state.at]);
  button("quiz").setAttribute("aria-pressed", Boolean(state.quiz));
  for (const next of document.querySelectorAll("[data-do='nextMistake']")) {
    next.disabled = !wanted.some((index) => plyOf.get(index) > ply);
  }
  button("previousMistake").disabled = !wanted.some((index) => plyOf.get(index) < ply);
}

// Goes to a node of the game and leaves any line or question.
function go(index) {
  if (index === undefined || index < 0) {
    return;
  }
  Object.assign(state, { at: index, line: null, peek: null, quiz: null, hold: null });
  $("tip").hidden = true;
  $("promote").hidden = true;
  render();
  if (isMatch) {
    parent.postMessage({ ply: plyOf.get(index) }, "*");
  } else if (plyOf.has(index)) {
    try {
      history.replaceState(null, "", `#${plyOf.get(index)}`);
    } catch {
      // Some browsers refuse this for pages opened as files. The page works without it.
    }
  }
}

// Enters a line of the position, after `played` of its moves; leaves it if `played` is 0.
function enterLine(rank, played) {
  if (state.quiz) {
    const before = state.quiz.node.index;
    Object.assign(state, { at: before, quiz: null });
    render();
  }
  const line = linesOf(N[state.at])[rank];
  if (!line) {
    return;
  }
  state.peek = state.hold = null;
  state.line = played > 0 ? { rank, played: Math.min(played, line.pv.length) } : null;
  renderBoard();
  renderBar();
  renderSay();
  renderNow();
  markLine();
}

// Shows a position while the pointer is over it; at = null ends that.
function peek(at, line) {
  state.peek = at === null ? null : { at, line };
  renderBoard();
  renderBar();
  renderNow();
}

// Goes one move forward or back, in the game or in the line that the reader has entered.
function step(forward) {
  const { at, line } = state;
  if (state.quiz) {
    return;
  }
  if (line) {
    enterLine(line.rank, line.played + (forward ? 1 : -1));
  } else {
    go(forward ? N[at].kids[0] : N[at].parent);
  }
}

// Goes to the next or previous line or, outside a line, to the next or previous alternative to the
// move shown.
function turn(down) {
  const { at, line } = state;
  const by = down ? 1 : -1;
  if (line) {
    const count = linesOf(N[at]).length;
    enterLine((line.rank + by + count) % count, 1);
  } else if (N[at].parent >= 0) {
    const { kids } = parentOf(N[at]);
    go(kids[(kids.indexOf(at) + by + kids.length) % kids.length]);
  }
}

// During a question, only mistakes of the same player are wanted.
const mistakesOf = (side) => mistakes.filter((index) => sideToMove(N[index]) !== side);
const wantedMistakes = () => (state.quiz ? mistakesOf(state.quiz.node.pos.side) : mistakes);

function goMistake(forward) {
  const ply = plyOf.get(state.at) || 0;
  const wanted = wantedMistakes();
  const there = forward
    ? wanted.find((index) => plyOf.get(index) > ply)
    : wanted.findLast((index) => plyOf.get(index) < ply);
  const asks = Boolean(state.quiz);
  go(there);
  if (asks && there !== undefined) {
    startQuiz();
  }
}

// Enters the best line of the position before the mistake shown.
function showBest() {
  const target = state.quiz ? state.quiz.target : N[state.at];
  if (isMistake(target) && linesOf(parentOf(target)).length > 0) {
    go(target.parent);
    enterLine(0, 1);
  }
}

// Goes to the side's next move that isCounted accepts; after the last one, to the first.
function goCounted(isCounted, side) {
  const wanted = judgedMoves(side).filter(isCounted).map((node) => node.index);
  const ply = plyOf.get(state.at) || 0;
  go(wanted.find((index) => plyOf.get(index) > ply) ?? wanted[0]);
}

function leave() {
  $("menu").open = false;
  if (!$("promote").hidden) {
    $("promote").hidden = true;
  } else if (state.peek) {
    peek(null);
  } else if (state.hold) {
    state.hold = null;
    renderBoard();
  } else if (state.line) {
    enterLine(state.line.rank, 0);
  } else if (state.quiz && state.quiz.picked) {
    pick(null);
  } else if (state.quiz) {
    go(state.quiz.target.index);
  } else if (N[state.at].isOwn) {
    go(placeInGame(state.at));
  } else if (isMatch) {
    parent.postMessage({ leaves: true }, "*");
  }
}

const placeInGame = (index) => (N[index].isOwn ? placeInGame(N[index].parent) : index);

// ---- Questions: find a better move than a mistake -----------------------------------------------

// The members of state.quiz: target, the node of the mistake; node, the one before it; picked, the
// chosen square or kind of piece in hand; answer, the verdict on the reader's move.
function startQuiz() {
  const target = state.quiz ? state.quiz.target : N[state.at];
  if (!isMistake(target)) {
    return;
  }
  const node = parentOf(target);
  const { pos } = node;
  state.quiz = {
    target, node, pos, last: node.usi, legal: legalMoves(pos), picked: null, targets: [],
    cursor: null, answer: null,
  };
  Object.assign(state, { line: null, peek: null, hold: null });
  render();
  $("board").focus({ preventScroll: true });
}

// ---- Moves on the board -------------------------------------------------------------------------

// The position in which a click on the board makes a move, with the move entered so far: the question
// or, outside a question, state.hold. Null if the question has been answered.
function table() {
  if (state.quiz) {
    return state.quiz.answer ? null : state.quiz;
  }
  if (!state.hold) {
    const { pos } = shownPosition(state.at, state.line);
    state.hold = { pos, legal: legalMoves(pos), picked: null, targets: [], cursor: null };
  }
  return state.hold;
}

const comesFrom = (usi, picked) => (picked.length === 1 ? usi[0] === picked && usi[1] === "*"
  : usi.startsWith(picked));

// Handles a click on a square or a kind of piece in hand. The first click chooses the piece, the
// second its destination.
function pick(place) {
  const held = table();
  const { picked, legal } = held;
  const moves = picked && place && place.length === 2
    ? legal.filter((usi) => comesFrom(usi, picked) && usi.slice(2, 4) === place) : [];
  if (moves.length === 1) {
    makeMove(moves[0]);
    return;
  }
  if (moves.length === 2) {
    askPromotion(moves[0].replace("+", ""));
    return;
  }
  const targets = place ? legal.filter((usi) => comesFrom(usi, place)) : [];
  held.picked = place !== picked && targets.length > 0 ? place : null;
  held.targets = held.picked ? [...new Set(targets.map((usi) => usi.slice(2, 4)))] : [];
  renderBoard();
}

const makeMove = (usi) => (state.quiz ? answer(usi) : playOwn(usi));

// Plays a move outside a question. The next move of the current line stays in the line, a move of the
// record goes to its node, and any other move becomes a variation.
function playOwn(usi) {
  const { at, line } = state;
  const pv = line ? linesOf(N[at])[line.rank].pv : [];
  if (line && pv[line.played] === usi) {
    enterLine(line.rank, line.played + 1);
    return;
  }
  const isEnding = !N[at].usi && N[at].parent >= 0;
  const moves = [...(line ? pv.slice(0, line.played) : []), usi];
  const there = moves.reduce(childBy, isEnding ? N[at].parent : at);
  renderMoves();
  go(there);
}

// Returns the node after a move, adding it if necessary. If an engine line begins with the move, a new
// node gets the line's score and its remaining moves.
function childBy(index, usi) {
  const before = N[index];
  const known = before.kids.find((kid) => N[kid].usi === usi);
  if (known !== undefined) {
    return known;
  }
  const node = {
    index: N.length, parent: index, kids: [], ply: before.ply + 1, usi, isOwn: true,
    move: moveText(before.pos, usi, "ja"), west: moveText(before.pos, usi, "en"), pos: play(before.pos, usi),
  };
  const line = linesOf(before).find(({ pv }) => pv[0] === usi);
  if (line) {
    const mate = line.mate === undefined ? undefined : line.mate - Math.sign(line.mate);
    Object.assign(node, {
      score: line.score, win: line.win, mate, declared: line.declared, depth: before.depth, pv: line.pv.slice(1),
    });
  }
  N.push(node);
  before.kids.push(node.index);
  return node.index;
}

// Deletes the reader's own move that is shown, with all moves after it.
function dropOwn() {
  const node = N[state.at];
  if (node.isOwn) {
    const { kids } = parentOf(node);
    kids.splice(kids.indexOf(node.index), 1);
      renderMoves();
    go(node.parent);
  }
}

// Shows the cursor with which moves are entered by keyboard.
function startMove() {
  const held = table();
  if (held) {
    held.cursor = held.cursor || "5e";
    renderBoard();
    $("board").focus({ preventScroll: true });
  }
}

function askPromotion(usi) {
  $("promote").hidden = false;
  $("promote").dataset.usi = usi;
  $("promote").querySelector("button").focus();
}

function answer(usi) {
  const { quiz } = state;
  quiz.answer = judge(quiz, usi);
  quiz.name = moveText(quiz.pos, usi, look.lang);
  quiz.pos = play(quiz.pos, usi);
  quiz.last = usi;
  quiz.picked = null;
  render();
}

// The verdict on a move in a question: {kind, rank, cost}.
function judge({ node, target, pos }, usi) {
  const next = play(pos, usi);
  if (isInCheck(next, next.side) && legalMoves(next).length === 0) {
    return { kind: "mate" };
  }
  const lines = linesOf(node);
  const rank = lines.findIndex(({ pv }) => pv[0] === usi);
  if (rank === 0) {
    return { kind: "best", rank };
  }
  if (usi === target.usi) {
    return { kind: "game", cost: target.cost };
  }
  if (rank < 0) {
    return { kind: "unknown" };
  }
  const drop = (lines[0].win - lines[rank].win) * (pos.side === BLACK ? 1 : -1);
  return { kind: "known", rank, cost: Math.max(0, drop) };
}

function quizWords(quiz) {
  const words = t();
  const { side } = quiz.node.pos;
  const all = mistakesOf(side);
  if (!quiz.answer) {
    const question = words.question(all.indexOf(quiz.target.index) + 1, all.length);
    return heading(`<b>${escapeText(question)}</b>`, command("showBest", words.solve, "B"), command("leave", words.leave, "Esc")) +
      paragraph(escapeText(words.ask(sideWord(side))));
  }
  const { kind, rank, cost } = quiz.answer;
  const verdict = kind === "known" ? words.answers.known(rank + 1) : words.answers[kind];
  const isGood = kind === "best" || kind === "mate";
  return heading(`<b>${escapeText(quiz.name)}</b>`, isGood ? "" : command("retry", words.retry, "T"),
    kind === "unknown" ? command("copySfen", words.copyThis, "S") : "",
    command("leave", words.leave, "Esc"), command("nextMistake", words.nextQuestion, `${words.nextMistake} (N)`)) +
    paragraph(escapeText(verdict) + (cost === undefined ? "" : ` ${words.costs(cost.toFixed(1))}`));
}

// ---- Copying and saving -------------------------------------------------------------------------

function download() {
  const link = document.createElement("a");
  const name = decodeURIComponent(location.pathname.split("/").pop() || "game");
  link.href = URL.createObjectURL(new Blob([$("record").textContent], { type: "text/plain" }));
  link.download = `${name.replace(/\.html?$/, "")}.kifu`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  toast(t().saved);
}

// The start position and the moves of the main line, which komadori can read as a game.
const usiText = () => `sfen ${N[0].sfen} moves ${main.map((index) => N[index].usi).filter(Boolean).join(" ")}`;

function shownSfen() {
  const pos = state.quiz ? state.quiz.pos : shownPosition(state.at, state.line).pos;
  return writeSfen(pos);
}

// ---- Commands, called by the attribute data-do and by keys --------------------------------------

function change(setting, value) {
  look[setting] = value;
  saveLook();
  renderBoard();
  renderBar();
}

const COMMANDS = {
  first: () => (state.line ? enterLine(state.line.rank, 1) : go(0)),
  last: () => (state.line ? enterLine(state.line.rank, Infinity) : go(main[main.length - 1])),
  back: () => step(false),
  forward: () => step(true),
  up: () => turn(false),
  down: () => turn(true),
  previousMistake: () => goMistake(false),
  nextMistake: () => goMistake(true),
  move: startMove,
  quiz: () => (state.quiz && !state.quiz.answer ? leave() : startQuiz()),
  retry: startQuiz,
  showBest,
  leave,
  flip: () => change("isFlipped", !look.isFlipped),
  kanji: () => change("kanji", 3 - look.kanji),
  coordinates: () => change("hasCoordinates", !look.hasCoordinates),
  arrows: () => change("hasArrows", !look.hasArrows),
  lang: () => {
    look.lang = look.lang === "ja" ? "en" : "ja";
    saveLook();
    renderAll();
  },
  help: () => $("help").showModal(),
  copySfen: () => copy(shownSfen()),
  copyKif: () => copy($("record").textContent),
  copyUsi: () => copy(usiText()),
  drop: dropOwn,
  download,
};
const KEYS = {
  ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "up", ArrowDown: "down", Home: "first",
  End: "last", Escape: "leave", m: "move", n: "nextMistake", p: "previousMistake", t: "quiz", f: "flip",
  k: "kanji", c: "coordinates", a: "arrows", s: "copySfen", b: "showBest", l: "lang", "?": "help",
};

// Handles a key on the board, in a question or while the cursor is shown: the arrow keys move the
// cursor, and letters choose pieces in hand. Returns false for other keys.
function boardKey(key) {
  const held = table();
  const moves = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (moves) {
    const sign = look.isFlipped ? -1 : 1;
    const [file, rank] = held.cursor ? squareOf(held.cursor) : [5, 5];
    const within = (n) => Math.max(1, Math.min(9, n));
    held.cursor = textOf([within(file + moves[0] * sign), within(rank + moves[1] * sign)]);
    renderBoard();
    const piece = held.pos.board[held.cursor];
    $("board").setAttribute("aria-label", held.cursor +
      (piece ? ` ${sideWord(sideOf(piece))} ${KINDS[kindOf(piece)][1]}` : ""));
  } else if ((key === "Enter" || key === " ") && held.cursor) {
    pick(held.cursor);
  } else if (HAND_KINDS.includes(key.toUpperCase())) {
    pick(key.toUpperCase());
  } else {
    return false;
  }
  return true;
}

function onKey(event) {
  const isTaken = event.ctrlKey || event.altKey || event.metaKey || $("help").open;
  const isPress = event.key === "Enter" || event.key === " ";
  const isOnButton = /^(BUTTON|SUMMARY|A)$/.test(event.target.tagName) && isPress;
  if (isTaken || isOnButton) {
    return;
  }
  if (isPress && event.target.dataset.bin) {
    goCounted(isInBin(Number(event.target.dataset.bin)), Number(event.target.dataset.side));
    event.preventDefault();
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isOnBoard = state.quiz ? !state.quiz.answer : state.hold && state.hold.cursor;
  if (isOnBoard && boardKey(key)) {
    event.preventDefault();
  } else if (/^[1-5]$/.test(key) && !state.quiz) {
    enterLine(Number(key) - 1, 1);
  } else if (KEYS[key]) {
    COMMANDS[KEYS[key]]();
    event.preventDefault();
  }
}

// ---- Pointers -----------------------------------------------------------------------------------

// Handles a click on the board, which enters a move.
function onBoardClick(event) {
  const held = $("promote").hidden && !state.peek ? table() : null;
  if (!held) {
    return;
  }
  const hand = event.target.closest(".hand");
  if (hand) {
    pick(Number(hand.dataset.side) === held.pos.side ? hand.dataset.kind : null);
    return;
  }
  const point = new DOMPoint(event.clientX, event.clientY)
    .matrixTransform($("board").getScreenCTM().inverse());
  pick(squareAt(point.x, point.y, look));
}

function watchLines() {
  const place = (event) => {
    const button = event.target.closest("[data-rank]");
    return button && [Number(button.dataset.rank), Number(button.dataset.played)];
  };
  $("lines").addEventListener("pointerover", (event) => {
    const at = place(event);
    if (event.pointerType === "mouse" && at) {
      peek(state.quiz ? state.quiz.node.index : state.at, { rank: at[0], played: at[1] });
    }
  });
  $("lines").addEventListener("pointerleave", () => state.peek && peek(null));
  $("lines").addEventListener("click", (event) => {
    const at = place(event);
    if (at) {
      enterLine(...at);
    }
  });
}

// Moving the mouse over the graph peeks at a position and a click goes there; a finger goes there at
// once.
function watchPlot() {
  const element = $("plot");
  element.addEventListener("pointermove", (event) => {
    if (state.quiz && !state.quiz.answer) {
      return;
    }
    const ply = plyAt(event.clientX);
    if (event.pointerType === "mouse") {
      peek(main[ply], null);
      showTip(ply);
    } else if (main[ply] !== state.at) {
      go(main[ply]);
    }
  });
  element.addEventListener("pointerleave", () => {
    $("tip").hidden = true;
    if (state.peek) {
      peek(null);
    }
  });
  element.addEventListener("click", (event) => go(main[plyAt(event.clientX)]));
}

function watchAll() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (!event.target.closest("#menu") || button) {
      $("menu").open = false;
    }
    if (button) {
      COMMANDS[button.dataset.do]();
    }
  });
  $("lang").addEventListener("click", COMMANDS.lang);
  $("moves").addEventListener("click", (event) => {
    const button = event.target.closest("[data-at]");
    if (button) {
      go(Number(button.dataset.at));
    }
  });
  $("sums").addEventListener("click", (event) => {
    const { count, bin, side } = event.target.dataset;
    if (count) {
      goCounted(COUNTED[count], Number(side));
    } else if (bin) {
      goCounted(isInBin(Number(bin)), Number(side));
    }
  });
  $("promote").addEventListener("click", (event) => {
    const { promote } = event.target.dataset;
    if (promote !== undefined) {
      $("promote").hidden = true;
      makeMove($("promote").dataset.usi + promote);
    }
  });
  $("board").addEventListener("click", onBoardClick);
  watchLines();
  watchPlot();
  watchSwipes($("stage"), step);
  addEventListener("resize", onResize);
  addEventListener("hashchange", () => {
    const ply = Number(location.hash.slice(1));
    if (main[ply] !== undefined && main[ply] !== state.at) {
      go(main[ply]);
    }
  });
}

// ---- The whole page -----------------------------------------------------------------------------

function onResize() {
  look.isTall = matchMedia("(max-width: 560px)").matches;
  const { width, height } = boardLayout(look.isTall);
  $("board").setAttribute("viewBox", `0 0 ${width} ${height}`);
  renderPlot();
  renderBoard();
}

function renderHead() {
  const words = t();
  const headers = Object.fromEntries(D.headers);
  const handicap = D.handicapName && handicapText(D.handicapName);
  const players = D.handicap
    ? `${sideWord(WHITE)} ${D.white} ${words.versus} ${sideWord(BLACK)} ${D.black}`
    : `${playerName(BLACK)} ${words.versus} ${playerName(WHITE)}`;
  document.documentElement.lang = look.lang;
  document.title = $("title").textContent = players;
  $("sub").textContent = [handicap || headers["手合割"], headers["棋戦"], headers["開始日時"],
    isMatch ? D.match.ended[look.lang] : `${words.by} ${D.engine}`].filter(Boolean).join(" · ");
  $("sub").title = $("sub").textContent;
  $("games").hidden = !D.hasIndex;
  $("lang").textContent = words.other;
  $("lang").lang = look.lang === "ja" ? "en" : "ja";
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = words[element.dataset.text];
  }
  for (const element of document.querySelectorAll("[data-title]")) {
    const key = Object.keys(KEYS).find((name) => KEYS[name] === element.dataset.do);
    const name = words[element.dataset.title];
    element.title = key && key.length === 1 ? `${name} (${key.toUpperCase()})` : name;
    element.setAttribute("aria-label", name);
  }
  const labels = { lines: words.lines, moves: words.moves, plot: words.graph, bar: chancesWord() };
  for (const [id, label] of Object.entries(labels)) {
    $(id).setAttribute("aria-label", label);
  }
  const [promote, keep] = $("promote").querySelectorAll("button");
  promote.textContent = words.promote;
  keep.textContent = words.keep;
  $("help-touch").textContent = words.touch;
  const absent = isMatch ? ["N P", "T"] : [];
  $("help-keys").innerHTML = words.keys.filter(([keys]) => !absent.includes(keys)).map(([keys, text]) =>
    `<tr><td>${keys.split(" ").map((key) => `<kbd>${key}</kbd>`).join(" ")}</td><td>${text}</td></tr>`).join("");
}

function renderAll() {
  renderHead();
  renderMoves();
  renderSums();
  renderPlot();
  render();
}

// Starts the page at the position that the address names: "#23", or "#23en" with a language.
function begin() {
  document.documentElement.classList.toggle("match", isMatch);
  document.querySelectorAll("#plain svg").forEach((picture) => picture.remove());
  loadLook();
  const wanted = isMatch ? ["", D.match.ply] : /^#(\d+)(en|ja)?$/.exec(location.hash);
  if (wanted) {
    look.lang = wanted[2] || look.lang;
    state.at = main[Math.min(Number(wanted[1]), main.length - 1)];
  }
  document.documentElement.style.setProperty("--rows", mostLines);
  $("plot").setAttribute("aria-valuemax", main.length - 1);
  onResize();
  renderAll();
  watchAll();
}
begin();
