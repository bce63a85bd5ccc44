/** @typedef {() => Promise<number>} Measurement resolves to one measured value */

/**
 * Measures Millrace and the floor alternately after a warm-up, so that changes in the machine's speed affect both.
 * @param {object} pair
 * @param {Measurement} pair.ours
 * @param {Measurement} pair.floor
 * @param {() => Promise<unknown>} pair.warmUp
 * @param {(line: string) => void} pair.note
 * @param {number} [pair.rounds] an odd number
 * @returns {Promise<{ ours: number, floor: number }>} medians
 */
export async function compareWithFloor({ ours, floor, warmUp, note, rounds = 5 }) {
  await warmUp();
  /** @type {{ ours: number[], floor: number[] }} */
  const values = { ours: [], floor: [] };
  for (let round = 1; round <= rounds; round += 1) {
    values.floor.push(await floor());
    values.ours.push(await ours());
    const [last, lastFloor] = [values.ours.at(-1), values.floor.at(-1)];
    note(`round ${round} of ${rounds}: ${last?.toPrecision(4)} (floor ${lastFloor?.toPrecision(4)})`);
  }
  return { ours: median(values.ours), floor: median(values.floor) };
}

/** @param {number[]} values an odd number of values */
export function median(values) {
  return [...values].sort((a, b) => a - b)[(values.length - 1) / 2] ?? NaN;
}

/**
 * @param {() => Promise<unknown>} work
 * @returns {Promise<number>} seconds
 */
export async function timeSeconds(work) {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}
