// board.js: positions, moves played on them, and boards as SVG. It knows how pieces are moved and named,
// but not the rules: whether a move is legal, what it checks and how it is told from others.
"use strict";

// A piece is a letter as in SFEN, upper case for black, with + before it if promoted. A kind is the same
// in upper case for both sides. A square is a text as in USI, "7g"; squareOf() makes [file, rank] of it.
const HAND_KINDS = ["R", "B", "G", "S", "N", "L", "P"];
const KINDS = {
  P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉",
  "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍",
};
const DIGITS = "一二三四五六七八九";
const WIDE_DIGITS = "１２３４５６７８９";
const MARKS = ["▲", "△"];

const sideOf = (piece) => (piece.toUpperCase() === piece ? BLACK : WHITE);
const kindOf = (piece) => piece.toUpperCase();
const other = (side) => 1 - side;
const squareOf = (text) => [Number(text[0]), text.charCodeAt(1) - 96];
const textOf = (file, rank) => file + String.fromCharCode(96 + rank);

// board[square] is a piece, hands[side][kind] a count.
function parseSfen(sfen) {
  const [rows, side, hands] = sfen.split(" ");
  const pos = { board: {}, hands: [{}, {}], side: side === "w" ? WHITE : BLACK };
  rows.split("/").forEach((row, index) => {
    let file = 9;
    for (const [word] of row.matchAll(/\d|\+?[A-Za-z]/g)) {
      if (/\d/.test(word)) {
        file -= Number(word);
      } else {
        pos.board[textOf(file--, index + 1)] = word;
      }
    }
  });
  for (const [, count, piece] of hands.matchAll(/(\d*)([A-Za-z])/g)) {
    pos.hands[sideOf(piece)][kindOf(piece)] = Number(count || 1);
  }
  return pos;
}

// The position after a move in USI notation: "7g7f", "8h2b+", "P*5e". The old one stays as it is.
function play({ board, hands, side }, usi) {
  const next = { board: { ...board }, hands: hands.map((hand) => ({ ...hand })), side: other(side), last: usi.slice(2, 4) };
  const hand = next.hands[side];
  if (usi[1] === "*") {
    hand[usi[0]]--;
    next.board[next.last] = side === BLACK ? usi[0] : usi[0].toLowerCase();
    return next;
  }
  if (board[next.last]) {
    const kind = kindOf(board[next.last]).replace("+", "");
    hand[kind] = (hand[kind] || 0) + 1;
  }
  delete next.board[usi.slice(0, 2)];
  next.board[next.last] = (usi[4] || "") + board[usi.slice(0, 2)];
  return next;
}

// The name of a move with the square that it comes from, ▲７六歩(77) or P7g-7f, which needs no other
// pieces to be told from.
function moveText({ board, side, last }, usi, lang) {
  const isDrop = usi[1] === "*";
  const [from, to] = [usi.slice(0, 2), usi.slice(2, 4)];
  const kind = isDrop ? usi[0] : kindOf(board[from]);
  if (lang === "en") {
    return kind + (isDrop ? "*" : from + (board[to] ? "x" : "-")) + usi.slice(2);
  }
  const [file, rank] = squareOf(to);
  const name = { "+L": "成香", "+N": "成桂", "+S": "成銀" }[kind] || KINDS[kind];
  return MARKS[side] + (to === last ? "同" : WIDE_DIGITS[file - 1] + DIGITS[rank - 1]) + name +
    (isDrop ? "打" : `${usi[4] ? "成" : ""}(${squareOf(from).join("")})`);
}

// ---- Boards -------------------------------------------------------------------------------------

const CELL_W = 44;
const CELL_H = 48;
const BOARD_W = 9 * CELL_W;
const BOARD_H = 9 * CELL_H;

// The layout of a picture: the hands are beside the board or, on a narrow screen, above and below it.
function boardLayout(isTall) {
  return isTall
    ? { left: 4, top: 78, width: BOARD_W + 24, height: BOARD_H + 154, isTall }
    : { left: 96, top: 42, width: BOARD_W + 210, height: BOARD_H + 72, isTall };
}

function pieceSvg(x, y, piece, isTurned) {
  const kind = kindOf(piece);
  return `<g class="piece${kind[0] === "+" ? " promoted" : ""}" transform="translate(${x} ${y})${isTurned ? " rotate(180)" : ""}">` +
    `<path d="M0,-21L12.5,-15.5L17,20L-17,20L-12.5,-15.5Z"/><text y="12" font-size="24">${KINDS[kind]}</text></g>`;
}

// An arrow between two points, or a ring around the square of a drop. `strength` is 1 for the best line
// and less for the others.
function arrowSvg(from, to, strength) {
  const style = `stroke-width="${(2 + 5 * strength).toFixed(1)}" opacity="${(0.25 + 0.6 * strength).toFixed(2)}"`;
  if (!from) {
    return `<circle class="arrow" cx="${to[0]}" cy="${to[1]}" r="20" ${style}/>`;
  }
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const tip = [to[0] - 6 * Math.cos(angle), to[1] - 6 * Math.sin(angle)].map((n) => n.toFixed(1));
  const barb = (turn) => [Math.cos(angle + turn), Math.sin(angle + turn)]
    .map((n, i) => (tip[i] - (7 + 5 * strength) * n).toFixed(1));
  return `<path class="arrow" ${style} d="M${from}L${tip}M${barb(-0.5)}L${tip}L${barb(0.5)}"/>`;
}

// The contents of an <svg> element. The members of `options`: isFlipped, isTall, lang, hasCoordinates,
// names (of both sides), note, last (a USI move), arrows [{usi, strength}].
function boardSvg(pos, options) {
  const layout = boardLayout(options.isTall);
  const { left, top } = layout;
  const corner = ([file, rank]) => [left + (options.isFlipped ? file - 1 : 9 - file) * CELL_W,
    top + (options.isFlipped ? 9 - rank : rank - 1) * CELL_H];
  const middle = (place) => corner(place).map((n, i) => n + [CELL_W, CELL_H][i] / 2);
  const cell = (square, name) => {
    const [x, y] = corner(squareOf(square));
    return `<rect class="${name}" x="${x}" y="${y}" width="${CELL_W}" height="${CELL_H}"/>`;
  };
  const out = [`<rect class="wood" x="${left}" y="${top}" width="${BOARD_W}" height="${BOARD_H}"/>`];
  if (options.last) {
    out.push(options.last[1] === "*" ? "" : cell(options.last.slice(0, 2), "from"), cell(options.last.slice(2, 4), "to"));
  }
  for (let i = 0; i < 10; i++) {
    out.push(`<path class="grid" d="M${left + i * CELL_W},${top}v${BOARD_H}` +
      `M${left},${top + i * CELL_H}h${BOARD_W}" stroke-width="${i % 9 ? 1 : 2}"/>`);
  }
  for (let i = 1; i < 10 && options.hasCoordinates; i++) {
    const [x, y] = middle([i, i]);
    const rank = options.lang === "ja" ? DIGITS[i - 1] : String.fromCharCode(96 + i);
    out.push(`<text class="label" x="${x}" y="${top - 6}">${i}</text>`,
      `<text class="label" x="${left + BOARD_W + 11}" y="${y + 5}">${rank}</text>`);
  }
  for (const [square, piece] of Object.entries(pos.board)) {
    out.push(pieceSvg(...middle(squareOf(square)), piece, (sideOf(piece) === WHITE) !== options.isFlipped));
  }
  out.push(standSvg(pos, BLACK, options, layout), standSvg(pos, WHITE, options, layout));
  for (const { usi, strength } of [...(options.arrows || [])].reverse()) {
    out.push(arrowSvg(usi[1] === "*" ? null : middle(squareOf(usi)), middle(squareOf(usi.slice(2))), strength));
  }
  return out.join("");
}

// A side's name and its pieces in hand.
function standSvg(pos, side, options, { left, top, height, isTall }) {
  const isBelow = (side === BLACK) !== options.isFlipped;
  const nameY = isBelow ? height - 8 : isTall ? 15 : 16;
  const out = [`<text class="name${pos.side === side ? " moves" : ""}" x="${left}" y="${nameY}">` +
    `${MARKS[side]} ${escapeText(options.names[side])}</text>`];
  if (isBelow && options.note) {
    out.push(`<text class="note" x="${left + BOARD_W}" y="${nameY}">${escapeText(options.note)}</text>`);
  }
  HAND_KINDS.filter((kind) => pos.hands[side][kind] > 0).forEach((kind, index) => {
    const place = isBelow && !isTall ? 6 - index : index;
    const x = isTall ? left + 22 + place * 56 : isBelow ? left + BOARD_W + 46 : 44;
    const y = isTall ? (isBelow ? top + BOARD_H + 28 : 40) : top + 40 + place * 58;
    const count = pos.hands[side][kind];
    out.push(pieceSvg(x, y, side === BLACK ? kind : kind.toLowerCase(), !isBelow),
      count > 1 ? `<text class="count" x="${x + 19}" y="${y + 8}">${count}</text>` : "");
  });
  return out.join("");
}
