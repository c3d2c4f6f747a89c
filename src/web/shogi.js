// shogi.js: positions, legal moves, names of moves, and boards as SVG. It does not depend on the page
// that uses it, except for the class names that the page's style defines.
"use strict";

const BLACK = 0;
const WHITE = 1;

// A piece is a letter as in SFEN, upper case for black, with + before it if promoted. A kind is the
// same in upper case for both sides. A square is a text as in USI, "7g"; squareOf() converts it to
// [file, rank], both from 1.
const HAND_KINDS = ["R", "B", "G", "S", "N", "L", "P"];
const KINDS = {
  P: ["歩", "歩兵"], L: ["香", "香車"], N: ["桂", "桂馬"], S: ["銀", "銀将"],
  G: ["金", "金将"], B: ["角", "角行"], R: ["飛", "飛車"], K: ["玉", "玉将"],
  "+P": ["と", "と金"], "+L": ["杏", "成香"], "+N": ["圭", "成桂"], "+S": ["全", "成銀"],
  "+B": ["馬", "龍馬"], "+R": ["龍", "龍王"],
};
// Names in the text of a move, if they differ from the one-kanji names.
const SPOKEN = { "+L": "成香", "+N": "成桂", "+S": "成銀" };
const DIGITS = "一二三四五六七八九";
const WIDE_DIGITS = "１２３４５６７８９";

const sideOf = (piece) => (piece.toUpperCase() === piece ? BLACK : WHITE);
const kindOf = (piece) => piece.toUpperCase();
const pieceOf = (kind, side) => (side === BLACK ? kind : kind.toLowerCase());
const other = (side) => 1 - side;
const squareOf = (text) => [Number(text[0]), text.charCodeAt(1) - 96];
const textOf = ([file, rank]) => file + String.fromCharCode(96 + rank);

// ---- Positions ----------------------------------------------------------------------------------

// board[square] is a piece, hands[side][kind] a count, and last the destination of the last move, if
// there was one. Positions are never modified: play() returns a new one.
function parseSfen(sfen) {
  const [rows, side, hands, ply] = sfen.split(" ");
  const pos = { board: {}, hands: [{}, {}], side: side === "w" ? WHITE : BLACK, ply: Number(ply) };
  rows.split("/").forEach((row, index) => {
    let file = 9;
    for (const [word] of row.matchAll(/\d|\+?[A-Za-z]/g)) {
      if (/\d/.test(word)) {
        file -= Number(word);
      } else {
        pos.board[textOf([file--, index + 1])] = word;
      }
    }
  });
  for (const [, count, piece] of hands.matchAll(/(\d*)([A-Za-z])/g)) {
    pos.hands[sideOf(piece)][kindOf(piece)] = Number(count || 1);
  }
  return pos;
}

function writeSfen(pos) {
  const rows = [];
  for (let rank = 1; rank <= 9; rank++) {
    let row = "";
    for (let file = 9; file >= 1; file--) {
      row += pos.board[textOf([file, rank])] || "1";
    }
    rows.push(row.replace(/1+/g, (ones) => ones.length));
  }
  let hands = "";
  for (const side of [BLACK, WHITE]) {
    for (const kind of HAND_KINDS) {
      const count = pos.hands[side][kind] || 0;
      hands += count === 0 ? "" : (count > 1 ? count : "") + pieceOf(kind, side);
    }
  }
  return `${rows.join("/")} ${pos.side === WHITE ? "w" : "b"} ${hands || "-"} ${pos.ply}`;
}

// The position after a move in USI notation: "7g7f", "8h2b+", "P*5e".
function play(pos, usi) {
  const next = {
    board: { ...pos.board },
    hands: pos.hands.map((hand) => ({ ...hand })),
    side: other(pos.side),
    ply: pos.ply + 1,
    last: usi.slice(2, 4),
  };
  const to = next.last;
  const hand = next.hands[pos.side];
  if (usi[1] === "*") {
    hand[usi[0]]--;
    next.board[to] = pieceOf(usi[0], pos.side);
    return next;
  }
  const from = usi.slice(0, 2);
  const taken = pos.board[to];
  if (taken) {
    const kind = kindOf(taken).replace("+", "");
    hand[kind] = (hand[kind] || 0) + 1;
  }
  delete next.board[from];
  next.board[to] = (usi.endsWith("+") ? "+" : "") + pos.board[from];
  return next;
}

// ---- Legal moves --------------------------------------------------------------------------------

// The single steps and the slides of each kind as [files to the left, ranks down], for black.
const GOLD = [[0, -1], [1, -1], [-1, -1], [1, 0], [-1, 0], [0, 1]];
const DIAGONAL = [[1, -1], [-1, -1], [1, 1], [-1, 1]];
const STRAIGHT = [[0, -1], [0, 1], [1, 0], [-1, 0]];
const STEPS = {
  P: [[0, -1]], N: [[1, -2], [-1, -2]], S: [[0, -1], ...DIAGONAL], G: GOLD,
  K: [...STRAIGHT, ...DIAGONAL], "+P": GOLD, "+L": GOLD, "+N": GOLD, "+S": GOLD,
  "+B": STRAIGHT, "+R": DIAGONAL,
};
const SLIDES = {
  L: [[0, -1]], B: DIAGONAL, R: STRAIGHT, "+B": DIAGONAL, "+R": STRAIGHT,
};

// The squares that the piece on a square attacks, including those of its own side's pieces.
function reaches(pos, from) {
  const kind = kindOf(pos.board[from]);
  const sign = sideOf(pos.board[from]) === BLACK ? 1 : -1;
  const [file, rank] = squareOf(from);
  const found = [];
  const walk = (steps, most) => {
    for (const [left, down] of steps || []) {
      for (let i = 1; i <= most; i++) {
        const f = file + left * sign * i;
        const r = rank + down * sign * i;
        if (f < 1 || f > 9 || r < 1 || r > 9) {
          break;
        }
        found.push(textOf([f, r]));
        if (pos.board[textOf([f, r])]) {
          break;
        }
      }
    }
  };
  walk(STEPS[kind], 1);
  walk(SLIDES[kind], 8);
  return found;
}

function isInCheck(pos, side) {
  const squares = Object.keys(pos.board);
  const king = squares.find((square) => pos.board[square] === pieceOf("K", side));
  return king !== undefined && squares.some(
    (square) => sideOf(pos.board[square]) !== side && reaches(pos, square).includes(king));
}

// The rank from the side's point of view: 1 is the farthest.
const rankFor = (side, square) => (side === BLACK ? squareOf(square)[1] : 10 - squareOf(square)[1]);

// True if a piece of this kind could never move again from this square.
function isStuck(kind, side, square) {
  const rank = rankFor(side, square);
  return rank === 1 ? ["P", "L", "N"].includes(kind) : rank === 2 && kind === "N";
}

function boardMoves(pos, from) {
  const kind = kindOf(pos.board[from]);
  const side = pos.side;
  const moves = [];
  for (const to of reaches(pos, from)) {
    if (pos.board[to] && sideOf(pos.board[to]) === side) {
      continue;
    }
    const isInZone = rankFor(side, from) <= 3 || rankFor(side, to) <= 3;
    if (isInZone && "PLNSBR".includes(kind)) {
      moves.push(from + to + "+");
    }
    if (!isStuck(kind, side, to)) {
      moves.push(from + to);
    }
  }
  return moves;
}

// Two unpromoted pawns of a side may not be on the same file (nifu).
function dropMoves(pos, kind) {
  const moves = [];
  for (let file = 1; file <= 9; file++) {
    const squares = [...DIGITS].map((_, index) => textOf([file, index + 1]));
    if (kind === "P" && squares.some((square) => pos.board[square] === pieceOf("P", pos.side))) {
      continue;
    }
    for (const to of squares) {
      if (!pos.board[to] && !isStuck(kind, pos.side, to)) {
        moves.push(`${kind}*${to}`);
      }
    }
  }
  return moves;
}

// The move must not leave its own king in check, and a pawn drop must not mate.
function isLegal(pos, usi) {
  const next = play(pos, usi);
  if (isInCheck(next, pos.side)) {
    return false;
  }
  return !usi.startsWith("P*") || !isInCheck(next, next.side) || legalMoves(next).length > 0;
}

function legalMoves(pos) {
  const moves = [];
  for (const square of Object.keys(pos.board)) {
    if (sideOf(pos.board[square]) === pos.side) {
      moves.push(...boardMoves(pos, square));
    }
  }
  for (const kind of HAND_KINDS) {
    if (pos.hands[pos.side][kind] > 0) {
      moves.push(...dropMoves(pos, kind));
    }
  }
  return moves.filter((usi) => isLegal(pos, usi));
}

// ---- Moves as text ------------------------------------------------------------------------------

// The squares of a side's pieces of this kind that attack a square.
const attackersOf = (pos, kind, side, to) => Object.keys(pos.board).filter((square) =>
  pos.board[square] === pieceOf(kind, side) && reaches(pos, square).includes(to));

const movedKind = (pos, usi) => (usi[1] === "*" ? usi[0] : kindOf(pos.board[usi.slice(0, 2)]));

// True if the move may promote. Its text must then say whether it does.
const hasChoice = (pos, usi) => usi[1] !== "*" && "PLNSBR".includes(movedKind(pos, usi)) &&
  [usi.slice(0, 2), usi.slice(2, 4)].some((square) => rankFor(pos.side, square) <= 3);

// The word that distinguishes the piece on `from` from other pieces of its kind that could also move
// to `to`: its direction (上 寄 引), the side it comes from (左 右 直), or both. `others` are the squares
// of the other pieces.
function relativeWord(pos, kind, from, to, others) {
  const fileFor = (square) => (pos.side === BLACK ? squareOf(square)[0] : 10 - squareOf(square)[0]);
  const motionOf = (square) => Math.sign(rankFor(pos.side, square) - rankFor(pos.side, to));
  const sideOfMove = (square) => Math.sign(fileFor(square) - fileFor(to));
  const motion = { 1: "上", 0: "寄", "-1": "引" }[motionOf(from)];
  const sideWord = { 1: "左", 0: "", "-1": "右" }[sideOfMove(from)];
  if (!others.some((square) => motionOf(square) === motionOf(from))) {
    return motion;
  }
  if (kind === "+B" || kind === "+R") {
    return others.every((square) => fileFor(from) < fileFor(square)) ? "右" : "左";
  }
  if (sideWord === "" && motion === "上" && ["S", "G", "+P", "+L", "+N", "+S"].includes(kind)) {
    return "直";
  }
  return others.some((square) => sideOfMove(square) === sideOfMove(from)) ? sideWord + motion : sideWord;
}

// The text of a move: in Japanese ▲７六歩, △同銀右, ▲５五角打; in English Hodges's notation, P-7f, Sx3c,
// B*5e.
function moveText(pos, usi, lang) {
  const isDrop = usi[1] === "*";
  const kind = movedKind(pos, usi);
  const [from, to] = [usi.slice(0, 2), usi.slice(2, 4)];
  const others = attackersOf(pos, kind, pos.side, to).filter((square) => isDrop || square !== from);
  const isPromotion = usi.endsWith("+");
  if (lang === "en") {
    const origin = isDrop || others.length === 0 ? "" : from;
    const promotion = hasChoice(pos, usi) ? (isPromotion ? "+" : "=") : "";
    return kind + origin + (isDrop ? "*" : pos.board[to] ? "x" : "-") + to + promotion;
  }
  const [file, rank] = squareOf(to);
  const place = to === pos.last ? "同" : WIDE_DIGITS[file - 1] + DIGITS[rank - 1];
  const word = others.length === 0 ? "" : isDrop ? "打" : relativeWord(pos, kind, from, to, others);
  const promotion = isPromotion ? "成" : hasChoice(pos, usi) ? "不成" : "";
  return (pos.side === BLACK ? "▲" : "△") + place + (SPOKEN[kind] || KINDS[kind][0]) + word + promotion;
}

// ---- Boards -------------------------------------------------------------------------------------

const CELL_W = 44;
const CELL_H = 48;
const BOARD_W = 9 * CELL_W;
const BOARD_H = 9 * CELL_H;

// The layout of a picture: the hands are beside the board or, on a narrow screen, above and below
// it.
function boardLayout(isTall) {
  return isTall
    ? { left: 4, top: 78, width: BOARD_W + 24, height: BOARD_H + 154, isTall }
    : { left: 96, top: 42, width: BOARD_W + 210, height: BOARD_H + 72, isTall };
}

const escapeText = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function pieceSvg(x, y, piece, look, isTurned) {
  const kind = kindOf(piece);
  const isKing = kind === "K" && sideOf(piece) === WHITE;
  const name = isKing && look.kanji === 2 ? "王将" : KINDS[kind][look.kanji - 1];
  const text = [...name].length === 1
    ? `<text y="12" font-size="24">${name}</text>`
    : `<text y="-1" font-size="16">${name[0]}</text><text y="15" font-size="16">${name[1]}</text>`;
  return `<g class="piece${kind[0] === "+" ? " promoted" : ""}" transform="translate(${x} ${y})` +
    `${isTurned ? " rotate(180)" : ""}">` +
    `<path d="M0,-21L12.5,-15.5L17,20L-17,20L-12.5,-15.5Z"/>${text}</g>`;
}

// An arrow between two points, or a ring around the square of a drop. `strength` is 1 for the best
// line and less for the others.
function arrowSvg(from, to, strength) {
  const style = `stroke-width="${(2 + 5 * strength).toFixed(1)}" ` +
    `opacity="${(0.25 + 0.6 * strength).toFixed(2)}"`;
  if (!from) {
    return `<circle class="arrow" cx="${to[0]}" cy="${to[1]}" r="20" ${style}/>`;
  }
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const size = 7 + 5 * strength;
  const tip = [to[0] - 6 * Math.cos(angle), to[1] - 6 * Math.sin(angle)];
  const barb = (turn) => [tip[0] - size * Math.cos(angle + turn),
    tip[1] - size * Math.sin(angle + turn)].map((n) => n.toFixed(1));
  return `<path class="arrow" ${style} d="M${from}L${tip.map((n) => n.toFixed(1))}` +
    `M${barb(-0.5)}L${tip.map((n) => n.toFixed(1))}L${barb(0.5)}"/>`;
}

// The contents of an <svg> element. The members of `look`: isFlipped, isTall, kanji (1 or 2), lang,
// hasCoordinates, names (of both sides), note, last (a USI move), arrows [{usi, strength}], picked and
// cursor (a square, or the kind of a piece in hand), targets (squares).
function boardSvg(pos, look) {
  const layout = boardLayout(look.isTall);
  const { left, top } = layout;
  const column = (file) => (look.isFlipped ? file - 1 : 9 - file);
  const row = (rank) => (look.isFlipped ? 9 - rank : rank - 1);
  const corner = ([file, rank]) => [left + column(file) * CELL_W, top + row(rank) * CELL_H];
  const middle = (square) => {
    const [x, y] = corner(square);
    return [x + CELL_W / 2, y + CELL_H / 2];
  };
  const cell = (square, name) => {
    const [x, y] = corner(squareOf(square));
    return `<rect class="${name}" x="${x}" y="${y}" width="${CELL_W}" height="${CELL_H}"/>`;
  };
  const out = [`<rect class="wood" x="${left}" y="${top}" width="${BOARD_W}" height="${BOARD_H}"/>`];
  if (look.last) {
    out.push(look.last[1] === "*" ? "" : cell(look.last.slice(0, 2), "from"));
    out.push(cell(look.last.slice(2, 4), "to"));
  }
  for (let i = 0; i < 10; i++) {
    out.push(`<path class="grid" d="M${left + i * CELL_W},${top}v${BOARD_H}` +
      `M${left},${top + i * CELL_H}h${BOARD_W}" stroke-width="${i % 9 ? 1 : 2}"/>`);
  }
  for (let i = 1; i < 10 && look.hasCoordinates; i++) {
    const [x, y] = middle([i, i]);
    const rank = look.lang === "ja" ? DIGITS[i - 1] : String.fromCharCode(96 + i);
    out.push(`<text class="label" x="${x}" y="${top - 6}">${i}</text>`,
      `<text class="label" x="${left + BOARD_W + 11}" y="${y + 5}">${rank}</text>`);
  }
  for (const [square, piece] of Object.entries(pos.board)) {
    const isTurned = (sideOf(piece) === WHITE) !== Boolean(look.isFlipped);
    out.push(pieceSvg(...middle(squareOf(square)), piece, look, isTurned));
  }
  if (look.picked && look.picked.length === 2) {
    out.push(cell(look.picked, "picked"));
  }
  for (const square of look.targets || []) {
    const [x, y] = middle(squareOf(square));
    out.push(`<circle class="target" cx="${x}" cy="${y}" r="${pos.board[square] ? 20 : 7}"/>`);
  }
  if (look.cursor) {
    out.push(cell(look.cursor, "cursor"));
  }
  out.push(standSvg(pos, BLACK, look, layout), standSvg(pos, WHITE, look, layout));
  for (const { usi, strength } of [...(look.arrows || [])].reverse()) {
    const from = usi[1] === "*" ? null : middle(squareOf(usi));
    out.push(arrowSvg(from, middle(squareOf(usi.slice(2))), strength));
  }
  return out.join("");
}

// A side's name and its pieces in hand.
function standSvg(pos, side, look, layout) {
  const isBelow = (side === BLACK) !== Boolean(look.isFlipped);
  const { left, top, height, isTall } = layout;
  const name = `${side === BLACK ? "▲" : "△"} ${escapeText(look.names[side])}`;
  const out = [];
  const nameY = isBelow ? height - 8 : isTall ? 15 : 16;
  out.push(`<text class="name${pos.side === side ? " moves" : ""}" x="${left}" ` +
    `y="${nameY}">${name}</text>`);
  if (isBelow && look.note) {
    out.push(`<text class="note" x="${left + BOARD_W}" y="${nameY}">${escapeText(look.note)}</text>`);
  }
  const kinds = HAND_KINDS.filter((kind) => pos.hands[side][kind] > 0);
  kinds.forEach((kind, index) => {
    const place = isTall ? index : isBelow ? 6 - index : index;
    const x = isTall ? left + 22 + place * 56 : isBelow ? left + BOARD_W + 46 : 44;
    const y = isTall ? (isBelow ? top + BOARD_H + 28 : 40) : top + 40 + place * 58;
    const count = pos.hands[side][kind];
    const isPicked = look.picked === kind && pos.side === side;
    out.push(`<g class="hand${isPicked ? " picked" : ""}" data-side="${side}" data-kind="${kind}">`,
      `<rect x="${x - 22}" y="${y - 24}" width="44" height="48"/>`,
      pieceSvg(x, y, pieceOf(kind, side), look, !isBelow),
      count > 1 ? `<text class="count" x="${x + 19}" y="${y + 8}">${count}</text>` : "", "</g>");
  });
  return out.join("");
}

// The square at a point in the units of the picture; null if the point is outside the board.
function squareAt(x, y, look) {
  const { left, top } = boardLayout(look.isTall);
  const column = Math.floor((x - left) / CELL_W);
  const row = Math.floor((y - top) / CELL_H);
  if (column < 0 || column > 8 || row < 0 || row > 8) {
    return null;
  }
  return textOf(look.isFlipped ? [column + 1, 9 - row] : [9 - column, row + 1]);
}
