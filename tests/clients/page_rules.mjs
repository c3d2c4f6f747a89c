// Counts the legal moves that the script of Komadori's pages, src/web/shogi.js, finds, and compares
// them with the perft numbers of a table; compares its names of moves with those of another table.
// Prints the differences; the exit status is 1 if there are any.
// usage: node page_rules.mjs TABLE NAMES [ROWS OF DEPTH 2]
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";

const [table, names, deepRows = "3"] = process.argv.slice(2);
const script = readFileSync("src/web/shogi.js", "utf8");
const { parseSfen, writeSfen, legalMoves, play, moveText } = runInNewContext(
  `${script}\n;({ parseSfen, writeSfen, legalMoves, play, moveText });`);

function perft(pos, depth) {
  const moves = legalMoves(pos);
  if (depth === 1) {
    return moves.length;
  }
  return moves.reduce((sum, usi) => sum + perft(play(pos, usi), depth - 1), 0);
}

const lines = readFileSync(table, "utf8").trim().split("\n").slice(1);
let faults = 0;
function expect(what, got, want) {
  if (got !== want) {
    console.log(`${what}: ${got}, not ${want}`);
    faults++;
  }
}
for (const [index, line] of lines.entries()) {
  const [id, , sfen, one, two] = line.split("\t");
  const pos = parseSfen(sfen);
  expect(`${id} as SFEN`, writeSfen(pos), sfen);
  expect(`${id} depth 1`, perft(pos, 1), Number(one));
  if (index % Math.ceil(lines.length / Number(deepRows)) === 0 && two) {
    expect(`${id} depth 2`, perft(pos, 2), Number(two));
  }
}

// Whole games: the first position, moves of USI, and their names, without the sign for the side. Of a
// horse or dragon, the other program writes 行 for 上.
const games = readFileSync(names, "utf8").trim().split("\n").slice(1).map((row) => row.split("\t"));
for (const [index, [sfen, moves, , hodges, , japanese]] of games.entries()) {
  const known = { en: hodges.split(" "), ja: japanese.replaceAll("行", "上").split(" ") };
  let pos = parseSfen(sfen);
  for (const [at, usi] of moves.split(" ").entries()) {
    expect(`game ${index + 1}, move ${at + 1}`, moveText(pos, usi, "en"), known.en[at]);
    expect(`game ${index + 1}, move ${at + 1}`, moveText(pos, usi, "ja").slice(1), known.ja[at]);
    pos = play(pos, usi);
  }
}
faults += games.length === 0;
console.log(`${games.length} games, ${lines.length} positions, ${faults} faults`);
process.exitCode = faults > 0 || lines.length === 0 ? 1 : 0;
