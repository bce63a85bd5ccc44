/** @typedef {() => Promise<number>} Measured gives one measurement */

/**
 * Measures two things by turns, after a warm-up, so that what drifts on the machine drifts for both.
 * @param {object} pair
 * @param {Measured} pair.ours
 * @param {Measured} pair.floor
 * @param {() => Promise<unknown>} pair.warmUp
 * @param {(line: string) => void} pair.note
 * @param {number} [pair.times] an odd number
 * @returns {Promise<{ ours: number, floor: number }>} medians
 */
export async function measureBeside({ ours, floor, warmUp, note, times = 5 }) {
  await warmUp();
  /** @type {{ ours: number[], floor: number[] }} */
  const all = { ours: [], floor: [] };
  for (let time = 1; time <= times; time += 1) {
    all.floor.push(await floor());
    all.ours.push(await ours());
    note(`${time} of ${times}: ${all.ours.at(-1)?.toPrecision(4)} beside ${all.floor.at(-1)?.toPrecision(4)}`);
  }
  return { ours: median(all.ours), floor: median(all.floor) };
}

/** @param {number[]} values an odd number of them */
export function median(values) {
  return [...values].sort((a, b) => a - b)[(values.length - 1) / 2] ?? NaN;
}

/**
 * @param {() => Promise<unknown>} work
 * @returns {Promise<number>} seconds
 */
export async function secondsOf(work) {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
