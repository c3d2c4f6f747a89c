// game.js: one game with its board, lines, moves, numbers and graph: the page of a game, or a game of a
// tournament. startGame() takes its data, which commands/gamepage.h and match.js make. In a game between
// engines (G.match is set), each position has the score and the line that the engine reported for its
// move to this position.
"use strict";

const GAME_HTML = `
  <section id="place">
    <div id="stage">
      <div id="bar" role="meter" aria-valuemin="0" aria-valuemax="100"><span id="percent"></span></div>
      <svg id="board" class="board" role="img" tabindex="-1"></svg>
    </div>
    <div id="keys" role="toolbar">${[["first", "|◀"], ["back", "◀"], ["forward", "▶"], ["last", "▶|"],
    ["previousMistake", "◀ ?"], ["nextMistake", "? ▶"], ["flip", "⇅"]].map(([name, sign]) =>
    `<button type="button" data-do="${name}" data-title="${name}">${sign}</button>`).join("")}</div>
  </section>
  <section id="words"><div id="say" aria-live="polite"></div><ol id="lines"></ol></section>
  <section id="list"><div id="moves" tabindex="-1"></div></section>
  <section id="sums"></section>
  <section id="graph" class="chart">
    <svg id="plot" role="slider" tabindex="0" aria-valuemin="0"></svg><div id="tip" class="tip" hidden></div>
  </section>`;

// The game, its nodes, and the indexes of those on the main line with the place of each. Then what is
// shown: the node `at`, or a place {rank, played} in one of its lines; peek is a place under the pointer,
// {at, line}, which is shown instead.
let G = null;
let nodes = [];
let main = [];
let plyOf = new Map();
const state = { at: 0, line: null, peek: null };

// ---- The game -----------------------------------------------------------------------------------

// In the list, each node comes after its parent. The node of an ending has the position of its parent
// with all that is known about it.
function readGame(data) {
  G = data;
  nodes = data.nodes;
  nodes.forEach((node, index) => {
    const parent = nodes[node.parent];
    Object.assign(node, { index, kids: [], pv: node.pv || [] });
    if (!parent) {
      node.pos = parseSfen(node.sfen);
      return;
    }
    parent.kids.push(index);
    node.pos = node.usi ? play(parent.pos, node.usi) : parent.pos;
    if (node.usi) {
      node.move = node.move || moveText(parent.pos, node.usi, "ja");
      node.english = moveText(parent.pos, node.usi, "en");
    } else {
      const { sfen, score, win, mate, declared, depth, line, pv, others, threat } = parent;
      Object.assign(node, { sfen, score, win, mate, declared, depth, line, pv, others, threat });
    }
  });
  main = [0];
  while (nodes[main[main.length - 1]].kids.length > 0) {
    main.push(nodes[main[main.length - 1]].kids[0]);
  }
  plyOf = new Map(main.map((index, ply) => [index, ply]));
}
const parentOf = (node) => nodes[node.parent];
const onMain = () => main.map((index) => nodes[index]);
const mover = (node) => other(node.pos.side);
const isMistake = (node) => node.mistake > 0 || node.missed > 0;

// The lines of a position, best first. A declaration has no moves and is not among them.
const linesOf = (node) => [node, ...(node.others || [])].filter(({ pv }) => pv.length > 0);

// The moves of a line in the reader's language.
function lineWords(node, line) {
  if (look.lang === "ja" && line.line !== undefined) {
    return line.line.split(/(?=[▲△])/);
  }
  let { pos } = node;
  return line.pv.map((usi) => {
    const word = moveText(pos, usi, look.lang);
    pos = play(pos, usi);
    return word;
  });
}

// ---- Texts --------------------------------------------------------------------------------------

const sideWord = (side) => t(G.handicap ? "handicapSides" : "sides")[side];
const playerName = (side) => (side === BLACK ? G.black : G.white) || sideWord(side);
// The name with the side in a handicap game.
const fullName = (side) => (G.handicap && playerName(side) !== sideWord(side) ? `${sideWord(side)} ` : "") + playerName(side);
const moveName = (node) => (look.lang === "en" && node.english) || node.move || t("start");
const sayMove = (node) => (node.usi ? `${node.ply} ` : "") + moveName(node);
const markOf = (node) => (node.missed ? t("missedMark") : ["", "?!", "?", "??"][node.mistake || 0]);
const classOf = (node) => `m${node.mistake || 0}${node.missed ? " missed" : ""}`;
const faultWords = (node) => [t("mistakes")[node.mistake || 0], node.missed ? t("missed") : ""].filter(Boolean);
const hasTimes = () => onMain().some(({ time }) => time > 0);

// Scores and winning chances are from black's point of view.
const chancesWord = () => t("chances", sideWord(BLACK));

function scoreText({ score, mate, declared }) {
  if (score === undefined) {
    return "";
  }
  if (declared) {
    return (score > 0 ? "+" : "−") + t("byRule")[declared];
  }
  if (mate === 0) {
    return t("mated");
  }
  if (mate === undefined) {
    return sign(score);
  }
  const plies = Math.abs(mate ?? Infinity); // none or infinite: of unknown length
  return (score > 0 ? "+" : "−") + (plies === Infinity ? t("endNames").mate : t("mateIn", plies));
}

// The comment without the lines that engines write for programs.
const ownComment = (node) => (node.comment || "").split("\n").filter((line) => !/^[#*]/.test(line)).join("\n").trim();

// ---- The board ----------------------------------------------------------------------------------

// A position of the game, or of an engine line that starts there: {pos, last, next}. `next` is the line's
// next move.
function shownPosition({ at, line }) {
  const node = nodes[at];
  if (!line) {
    return { pos: node.pos, last: node.usi };
  }
  const { pv } = linesOf(node)[line.rank];
  return { pos: pv.slice(0, line.played).reduce(play, node.pos), last: pv[line.played - 1], next: pv[line.played] };
}

function renderBoard() {
  const shown = state.peek || state;
  const { pos, last, next } = shownPosition(shown);
  const note = sideWord(pos.side) + t("toMove");
  const arrows = shown.line ? [{ usi: next, strength: 0.7 }].filter(({ usi }) => usi)
    : linesOf(nodes[shown.at]).map(({ pv }, rank) => ({ usi: pv[0], strength: 1 / (1 + rank * 0.8) }));
  const names = [BLACK, WHITE].map(fullName);
  $("board").innerHTML = boardSvg(pos, { ...look, hasCoordinates: true, names, note, last, arrows: look.hasArrows ? arrows : [] });
  $("board").setAttribute("aria-label", `${t("board")}: ${sayMove(nodes[shown.at])} ${note}`);
}

// The score of the position shown or, inside a line, of that line.
function renderBar() {
  const { at, line } = state.peek || state;
  const { win, ...judged } = line ? linesOf(nodes[at])[line.rank] : nodes[at];
  const text = win === undefined ? "" : win.toFixed(0);
  const bar = $("bar");
  bar.classList.toggle("unknown", text === "");
  bar.classList.toggle("flipped", look.isFlipped);
  bar.style.setProperty("--share", `${win ?? 50}%`);
  bar.setAttribute("aria-valuenow", win ?? 50);
  bar.setAttribute("aria-valuetext", text && `${text} %, ${scoreText(judged)}`);
  bar.title = text && `${chancesWord()} ${text} %`;
  $("percent").textContent = text;
}

// ---- The text beside the board ------------------------------------------------------------------

const paragraph = (html, name = "") => `<p class="${name}">${html}</p>`;
const command = (name, word, hint = "") => `<button type="button" data-do="${name}" title="${hint}">${word}</button>`;

function renderSay() {
  const node = nodes[state.at];
  const before = parentOf(node);
  const out = [];
  if (state.line) {
    const { rank, played } = state.line;
    const line = linesOf(node)[rank];
    out.push(paragraph(`<b>${t("line", rank + 1)}</b> ${played}/${line.pv.length} ${command("leave", t("leave"), "Esc")}`),
      paragraph(`${t("score")} ${scoreText(line)} · ${chancesWord()} ${line.win.toFixed(0)} %`),
      paragraph(escapeText(`${sayMove(node)} → ${lineWords(node, line).slice(0, played).join(" ")}`)));
    $("say").innerHTML = out.join("");
    return;
  }
  out.push(paragraph(`<b>${escapeText(sayMove(node))}</b> <span class="${classOf(node)}">${faultWords(node).join(" ")}</span>` +
    (node.time !== undefined && hasTimes() ? ` <span class="dim">${timeText(node.time)}</span>` : "")));
  if (node.score !== undefined && (node.usi || !G.match)) {
    out.push(paragraph(`${G.match ? `${escapeText(playerName(mover(node)))}: ` : ""}${t("score")} ${scoreText(node)} · ` +
      `${chancesWord()} ${node.win.toFixed(0)} % · ${t("depth")} ${node.depth}${node.cost > 0 ? ` · ${t("loss")} ${node.cost} %` : ""}`));
  }
  if (isMistake(node) && linesOf(before)[0] && before.pv.length > 0) {
    const better = lineWords(before, before).slice(0, 3).join(" ");
    out.push(paragraph(`${t("best")} ${command("showBest", escapeText(better), `${t("showBest")} (B)`)}`));
  } else if (isMistake(node) && before.declared) {
    out.push(paragraph(`${t("best")} ${t("byRule")[before.declared]}`));
  }
  if (node.threat && node.threat.pv.length > 0) {
    const passed = { pos: { ...node.pos, side: mover(node) } };
    out.push(paragraph(escapeText(`${t("threat")} ${scoreText(node.threat)}: ${lineWords(passed, node.threat).slice(0, 5).join(" ")}`)));
  }
  out.push(ownComment(node) ? paragraph(escapeText(ownComment(node))) : "");
  $("say").innerHTML = out.join("");
}

// Lists the engine's lines; each of their moves is a button.
function renderLines() {
  const node = nodes[state.at];
  $("lines").innerHTML = linesOf(node).map((line, rank) => `<li><span class="score">${scoreText(line)}</span><span class="moves">` +
    lineWords(node, line).map((word, index) => `<button type="button" tabindex="${index ? -1 : 0}" data-rank="${rank}" ` +
      `data-played="${index + 1}">${escapeText(word)}</button>`).join("") + `</span></li>`).join("") ||
    `<li class="dim">${node.score !== undefined ? "" : t(G.match ? "untold" : "unknown")}</li>`;
  markLine();
}

function markLine() {
  mark($("lines"), state.line && `[data-rank="${state.line.rank}"][data-played="${state.line.played}"]`, "li");
}

// Marks the button in a box that the selector names, and scrolls the box (or the parent of the button
// that `scrolled` names), but not the page, until it is visible.
function mark(box, selector, scrolled) {
  for (const button of box.querySelectorAll(".on")) {
    button.classList.remove("on");
    button.removeAttribute("aria-current");
  }
  const on = selector && box.querySelector(selector);
  if (on) {
    on.classList.add("on");
    on.setAttribute("aria-current", "true");
    const frame = scrolled ? on.closest(scrolled) : box;
    const [around, inner] = [frame, on].map((element) => element.getBoundingClientRect());
    if (inner.left < around.left || inner.right > around.right) {
      frame.scrollLeft += inner.left - around.left - frame.clientWidth / 3;
    }
    if (inner.top < around.top || inner.bottom > around.bottom) {
      frame.scrollTop += inner.top - around.top - frame.clientHeight / 2;
    }
  }
}

// ---- The list of moves --------------------------------------------------------------------------

const moveButton = (node, name, html) => `<button type="button" class="${name}${ownComment(node) ? " noted" : ""}" ` +
  `data-at="${node.index}" tabindex="-1">${html}</button>`;

// A variation, followed by the variations that branch off from it.
function variation(index) {
  const inner = [];
  let out = "";
  for (let node = nodes[index]; node; node = nodes[node.kids[0]]) {
    const isFirst = node.index === index;
    out += `${moveButton(node, "", (isFirst ? `${node.ply} ` : "") + escapeText(moveName(node)))} `;
    inner.push(...(isFirst ? [] : parentOf(node).kids.slice(1)));
  }
  return `<div class="var">${out}</div>${inner.map(variation).join("")}`;
}

function renderMoves() {
  $("moves").innerHTML = onMain().map((node) => moveButton(node, "row", `<span class="ply">${node.usi ? node.ply : ""}</span>` +
    `<span class="${classOf(node)}">${escapeText(moveName(node))} ${markOf(node)}</span><span class="score">${scoreText(node)}</span>`) +
    (parentOf(node) ? parentOf(node).kids.slice(1).map(variation).join("") : "")).join("");
}

// ---- Numbers of both players --------------------------------------------------------------------

// A table of rows [name, class, black's cell, white's cell].
function sumsTable(rows) {
  const heads = [BLACK, WHITE].map((side) => `<th scope="col" title="${escapeText(playerName(side))}">` +
    `<span class="swatch side${side}"></span>${escapeText(playerName(side))}</th>`);
  return `<table><thead><tr><td></td>${heads.join("")}</tr></thead><tbody>${rows.map(([head, name, ...cells]) =>
    `<tr><th scope="row" class="${name}">${head}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</tbody></table>`;
}

const mean = (values) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : 0);

// The engines' time, depth and speed, and how the game ended.
function engineSums() {
  const depths = [BLACK, WHITE].map((side) => mean(onMain().filter((node) => node.usi && node.depth > 0 && mover(node) === side)
    .map(({ depth }) => depth)));
  const rows = [
    [t("used"), ({ time }) => (time < 60 ? `${time.toFixed(1)} s` : timeText(time))],
    [t("perMove"), ({ time, moves }) => (moves ? `${(time / moves).toFixed(2)} s` : "–")],
    [t("depth"), (_, side) => (depths[side] ? depths[side].toFixed(1) : "–")],
    [t("nps"), (player) => (player.nodes && player.time ? Math.round(player.nodes / player.time).toLocaleString(look.lang) : "–")],
    [t("clock"), ({ left }) => (left >= 0 ? timeText(left) : "–")],
  ].map(([head, text]) => [head, "", ...G.match.players.map(text)]);
  return sumsTable(rows.filter(([, , black, white]) => black !== "–" || white !== "–")) + paragraph(escapeText(G.match.ended()));
}

// The accuracy and mistakes of both players.
function playerSums() {
  const number = (key) => G.players.map((sum) => (sum.moves ? sum[key] : "–"));
  const share = (key) => G.players.map((sum) => (sum.moves ? `${sum[key].toFixed(1)} %` : "–"));
  const judged = onMain().filter((node) => node.depth > 0 && node.nodes !== undefined);
  const [depth, searched] = ["depth", "nodes"].map((key) => Math.round(mean(judged.map((node) => node[key]))));
  return sumsTable([
    [t("accuracy"), "", ...share("accuracy")],
    ...["dubious", "mistakes", "blunders"].map((key, i) => [t("mistakes")[i + 1], `m${i + 1}`, ...number(key)]),
    [t("missed"), "missed", ...number("missed")], [t("average"), "", ...share("loss")],
  ]) + paragraph(t("basis", G.scale) + t("limits", depth, searched ? searched.toLocaleString(look.lang) : ""), "dim");
}

// ---- The graph: winning chances, and below them the time of each move ----------------------------

let plot = null;

function renderPlot() {
  const height = 212;
  const longest = Math.max(...onMain().map(({ time }) => time || 0));
  const band = longest > 0 ? 34 : 0;
  const scale = G.scale || 600;
  plot = makePlot($("plot"), { xs: [0, main.length - 1], ys: [0, 100], height, bottom: 18 + band });
  const step = [10, 20, 50, 100, 200].find((every) => main.length / every * 34 < plot.right - plot.left) || 500;
  const xMarks = onMain().map((_, ply) => ply).filter((ply) => ply % step === 0);
  const yMarks = [2000, 1000, 500, 0, -500, -1000, -2000].map((score) =>
    [100 / (1 + Math.exp(-score / scale)), Math.abs(score) === 2000 ? "" : sign(score)]);
  const low = height - 18;
  const wide = Math.max(1, Math.min(9, (plot.x(1) - plot.x(0)) * 0.7));
  const times = onMain().map((node, ply) => (node.time > 0 ? `<rect class="side${node.usi ? mover(node) : node.pos.side}" x="${(plot.x(ply) - wide / 2).toFixed(1)}" ` +
    `y="${(low - 28 * node.time / longest).toFixed(1)}" width="${wide.toFixed(1)}" height="${(28 * node.time / longest).toFixed(1)}"/>` : ""));
  const names = band ? [[t("time"), low - 14], [longest < 60 ? `${longest.toFixed(1)} s` : timeText(longest), low]] : [];
  $("plot").innerHTML = axesSvg(plot, [], yMarks) + (G.match ? engineCurves() : chancesCurve()) + times.join("") +
    xMarks.map((ply) => `<text x="${plot.x(ply)}" y="${height - 4}" text-anchor="middle">${ply}</text>`).join("") +
    names.map(([text, y]) => `<text x="${plot.left - 5}" y="${y}" text-anchor="end">${text}</text>`).join("") +
    `<path class="now" id="now"/>`;
  renderNow();
}

// The winning chances that each engine reported, both from black's point of view.
function engineCurves() {
  return [BLACK, WHITE].map((side) => curveSvg(plot, onMain().map((node, ply) => [ply, node.win])
    .filter(([ply, win]) => nodes[main[ply]].usi && win !== undefined && mover(nodes[main[ply]]) === side), `data-side="${side}"`)).join("");
}

// The winning chances, with a dot for each mistake and missed mate.
function chancesCurve() {
  const known = onMain().map((node, ply) => [ply, node.win, node]).filter(([, win]) => win !== undefined);
  const area = (side, limit) => areaSvg(plot, known.map(([ply, win]) => [ply, limit(win, 50), 50]), `data-side="${side}"`);
  return area(BLACK, Math.max) + area(WHITE, Math.min) + curveSvg(plot, known, "") +
    known.filter(([, , node]) => isMistake(node)).map(([ply, win, node]) =>
      `<circle class="${classOf(node)}" cx="${plot.x(ply)}" cy="${plot.y(win)}" r="${(2.5 + (node.mistake || 1)) * (plot.width < 500 ? 0.7 : 1)}"/>`).join("");
}

// Draws the vertical line at the position shown, and describes that position for screen readers.
function renderNow() {
  const { at } = state.peek || state;
  if (plyOf.has(at)) {
    $("now").setAttribute("d", `M${plot.x(plyOf.get(at))},${plot.top}V${plot.height - 18}`);
    $("plot").setAttribute("aria-valuenow", plyOf.get(at));
  }
  $("plot").setAttribute("aria-valuetext", `${sayMove(nodes[at])} ${scoreText(nodes[at])}`);
}

function plyTip(ply) {
  const node = nodes[main[ply]];
  const lines = [[sayMove(node), ...faultWords(node)].join(" ")];
  if (node.score !== undefined) {
    lines.push(`${scoreText(node)} (${node.win.toFixed(0)} %)${node.cost > 0 ? `  ${t("loss")} ${node.cost} %` : ""}`);
  }
  if (node.time !== undefined && hasTimes()) {
    lines.push(`${t("time")} ${timeText(node.time)}`);
  }
  return lines.join("\n");
}

// ---- Navigation ---------------------------------------------------------------------------------

// Draws everything that depends on `state`.
function render() {
  const ply = gamePly();
  renderBoard();
  renderBar();
  renderSay();
  renderLines();
  renderNow();
  mark($("moves"), `[data-at="${state.at}"]`);
  document.querySelector("[data-do='nextMistake']").disabled = !onMain().slice(ply + 1).some(isMistake);
  document.querySelector("[data-do='previousMistake']").disabled = !onMain().slice(0, ply).some(isMistake);
}

// Goes to a node of the game and leaves a line. The address names the ply.
function go(index) {
  if (index === undefined || index < 0) {
    return;
  }
  Object.assign(state, { at: index, line: null, peek: null });
  $("tip").hidden = true;
  render();
  if (plyOf.has(index)) {
    try {
      history.replaceState(null, "", G.address(plyOf.get(index)));
    } catch {
      // Some browsers refuse this for pages opened as files. The page works without it.
    }
  }
}

// Enters a line of the position, after `played` of its moves; leaves it if `played` is 0.
function enterLine(rank, played) {
  const line = linesOf(nodes[state.at])[rank];
  if (line) {
    state.line = played > 0 ? { rank, played: Math.min(played, line.pv.length) } : null;
    peek(null);
    renderSay();
    markLine();
  }
}

// Shows a place while the pointer is over it; null ends that.
function peek(place) {
  state.peek = place;
  renderBoard();
  renderBar();
  renderNow();
}

// Goes one move forward or back, in the game or in the line that the reader has entered.
function step(isForward) {
  const { at, line } = state;
  if (line) {
    enterLine(line.rank, line.played + (isForward ? 1 : -1));
  } else {
    go(isForward ? nodes[at].kids[0] : nodes[at].parent);
  }
}

// Goes to the next or previous line or, outside a line, to the next or previous alternative to the move
// shown.
function turn(by) {
  const node = nodes[state.at];
  if (state.line) {
    const count = linesOf(node).length;
    enterLine((state.line.rank + by + count) % count, 1);
  } else if (parentOf(node)) {
    const { kids } = parentOf(node);
    go(kids[(kids.indexOf(state.at) + by + kids.length) % kids.length]);
  }
}

// The ply of the move shown or, in a variation, of the move of the game that it replaces.
function gamePly() {
  let at = state.at;
  while (!plyOf.has(at)) {
    at = nodes[at].parent;
  }
  return plyOf.get(at) + (at === state.at ? 0 : 1);
}

function goMistake(isForward) {
  const ply = gamePly();
  const wanted = onMain().filter(isMistake);
  const there = isForward ? wanted.find(({ index }) => plyOf.get(index) > ply)
    : wanted.findLast(({ index }) => plyOf.get(index) < ply);
  go(there && there.index);
}

// Enters the best line of the position before the mistake shown.
function showBest() {
  const node = nodes[state.at];
  if (isMistake(node) && linesOf(parentOf(node)).length > 0) {
    go(node.parent);
    enterLine(0, 1);
  }
}

function leave() {
  $("menu").open = false;
  if (state.peek) {
    peek(null);
  } else if (state.line) {
    enterLine(state.line.rank, 0);
  } else if (G.leave) {
    G.leave();
  }
}

// ---- Copying and saving -------------------------------------------------------------------------

function download() {
  const link = document.createElement("a");
  const name = decodeURIComponent(location.pathname.split("/").pop() || "game");
  link.href = URL.createObjectURL(new Blob([$("plain").textContent], { type: "text/plain" }));
  link.download = `${name.replace(/\.html?$/, "")}.kifu`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A start position with moves, which komadori reads as a game.
const usiText = (sfen, moves) => (moves.length > 0 ? `sfen ${sfen} moves ${moves.join(" ")}` : `sfen ${sfen}`);
const usiMoves = () => onMain().map(({ usi }) => usi).filter(Boolean);

// The SFEN of the position shown or, where only the moves to it are known, the start with them.
function shownSfen() {
  const { at, line } = state;
  const moves = line ? linesOf(nodes[at])[line.rank].pv.slice(0, line.played) : [];
  for (let node = nodes[at]; ; node = parentOf(node)) {
    if (node.sfen) {
      return moves.length > 0 ? usiText(node.sfen, moves) : node.sfen;
    }
    moves.unshift(...(node.usi ? [node.usi] : []));
  }
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
  up: () => turn(-1),
  down: () => turn(1),
  previousMistake: () => goMistake(false),
  nextMistake: () => goMistake(true),
  showBest,
  leave,
  flip: () => change("isFlipped", !look.isFlipped),
  arrows: () => change("hasArrows", !look.hasArrows),
  lang: () => $("lang").click(),
  help: () => $("help").showModal(),
  copySfen: () => copy(shownSfen()),
  copyKif: () => copy($("plain").textContent),
  copyUsi: () => copy(usiText(nodes[0].sfen, usiMoves())),
  download,
};
const KEYS = {
  ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last", Escape: "leave",
  n: "nextMistake", p: "previousMistake", f: "flip", a: "arrows", s: "copySfen", b: "showBest",
  l: "lang", "?": "help",
};
const ARROWS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

function onKey(event) {
  const isOnButton = /^(BUTTON|SUMMARY|A)$/.test(event.target.tagName) && (event.key === "Enter" || event.key === " ");
  if (!G || event.ctrlKey || event.altKey || event.metaKey || $("help").open || isOnButton) {
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (/^[1-5]$/.test(key)) {
    enterLine(Number(key) - 1, 1);
  } else if (KEYS[key]) {
    COMMANDS[KEYS[key]]();
    event.preventDefault();
  }
}

// ---- Pointers -----------------------------------------------------------------------------------

function onClick(event) {
  const { target } = event;
  const button = target.closest("button") || target;
  const { at, rank, played } = button.dataset;
  if (!G || !target.closest("#menu") || button.dataset.do) {
    $("menu").open = false;
  }
  if (!G) {
    return;
  }
  if (button.dataset.do) {
    COMMANDS[button.dataset.do]();
  } else if (at) {
    go(Number(at));
  } else if (rank) {
    enterLine(Number(rank), Number(played));
  }
}

// Pointing at a move of a line shows the position after it.
function watchLines() {
  $("lines").addEventListener("pointerover", ({ target, pointerType }) => {
    const { rank, played } = target.dataset;
    if (pointerType === "mouse" && rank) {
      peek({ at: state.at, line: { rank: Number(rank), played: Number(played) } });
    }
  });
  $("lines").addEventListener("pointerleave", () => state.peek && peek(null));
}

// Moving the mouse over the graph shows a position and a click goes there; a finger goes there at once.
function watchPlot() {
  const element = $("plot");
  element.addEventListener("pointermove", (event) => {
    const ply = Math.round(plot.at(event));
    if (event.pointerType === "mouse") {
      peek({ at: main[ply], line: null });
      showTip($("tip"), plot, plot.x(ply), plyTip(ply));
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
  element.addEventListener("click", (event) => go(main[Math.round(plot.at(event))]));
}

// Swiping left or right over the board steps through the game. Other swipes scroll the page.
function watchSwipes() {
  let start = null;
  $("stage").addEventListener("touchstart", ({ touches }) => {
    start = touches.length === 1 ? touches[0] : null;
  }, { passive: true });
  $("stage").addEventListener("touchend", ({ changedTouches: [end] }) => {
    const [x, y] = start ? [end.clientX - start.clientX, end.clientY - start.clientY] : [0, 0];
    if (Math.abs(x) > 40 && Math.abs(x) > 1.5 * Math.abs(y)) {
      step(x < 0);
    }
    start = null;
  });
}

// ---- The whole view -----------------------------------------------------------------------------

function renderGameHead() {
  const headers = Object.fromEntries(G.headers);
  const title = (G.handicap ? [WHITE, BLACK] : [BLACK, WHITE]).map(fullName).join(` ${t("versus")} `);
  document.title = $("title").textContent = title;
  $("sub").textContent = [G.handicapName ? handicapText(G.handicapName) : headers["手合割"], headers["棋戦"], headers["開始日時"],
    G.match ? G.match.ended() : `${t("analysedBy")} ${G.engine}`].filter(Boolean).join(" · ");
  $("sub").title = $("sub").textContent;
  for (const [id, label] of Object.entries({ lines: t("lines"), moves: t("moves"), plot: t("graph"), bar: chancesWord() })) {
    $(id).setAttribute("aria-label", label);
  }
  $("help-touch").textContent = t("touch");
  const keys = Object.entries(KEYS).filter(([, name]) => !G.match || !/Mistake|showBest/.test(name));
  $("help-keys").innerHTML = [...keys, ["1–5", "enterLine"]].map(([key, name]) => `<tr><td><kbd>` +
    `${ARROWS[key] || key.replace(/^.$/, (letter) => letter.toUpperCase())}</kbd></td><td>${t(name)}</td></tr>`).join("");
}

function renderGame() {
  renderWords();
  renderGameHead();
  renderMoves();
  $("sums").innerHTML = G.match ? engineSums() : playerSums();
  resizeGame();
}

function resizeGame() {
  look.isTall = matchMedia("(max-width: 560px)").matches;
  const { width, height } = boardLayout(look.isTall);
  $("board").setAttribute("viewBox", `0 0 ${width} ${height}`);
  renderPlot();
  render();
}

// Shows a game at a ply, or at its end. `data.address(ply)` is the address of a position, and
// `data.leave`, if it is set, ends the view.
function startGame(data, ply = Infinity) {
  readGame(data);
  document.body.className = data.match ? "game between" : "game";
  $("main").innerHTML = GAME_HTML;
  $("main").style.setProperty("--rows", Math.max(1, ...nodes.map((node) => linesOf(node).length)));
  $("plot").setAttribute("aria-valuemax", main.length - 1);
  Object.assign(state, { at: main[Math.min(ply, main.length - 1)], line: null, peek: null });
  renderGame();
  watchLines();
  watchPlot();
  watchSwipes();
}

// The page of a game. The address may name the position and the language: "#23", "#23en".
function startGamePage() {
  const [, ply = 0, lang = look.lang] = /^#(\d+)(en|ja)?$/.exec(location.hash) || [];
  look.lang = lang;
  startGame({ ...DATA, address: (number) => `#${number}` }, Number(ply));
  addEventListener("hashchange", () => go(main[Number(location.hash.slice(1))]));
}
