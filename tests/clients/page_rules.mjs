// Counts the moves that the script of Komadori's pages, src/kifu/shogi.js, finds legal, and compares
// them with the perft numbers of a table. Prints what differs; the exit status tells.
// usage: node page_rules.mjs TABLE [ROWS OF DEPTH 2]
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";

const [table, deepRows = "3"] = process.argv.slice(2);
const script = readFileSync("src/kifu/shogi.js", "utf8");
const { parseSfen, writeSfen, legalMoves, play } = runInNewContext(
  `${script}\n;({ parseSfen, writeSfen, legalMoves, play });`);

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
console.log(`${lines.length} positions, ${faults} faults`);
process.exitCode = faults > 0 || lines.length === 0 ? 1 : 0;
