/** Statuses that the grid shows in one colour. */
const SAME_COLOUR = { G: 'T' };

/**
 * Compares each square of the grid with the status that the API has. The colours are not known here, so every status must have one
 * colour, and another one than every other status.
 * @param {import('@playwright/test').Page} page
 * @param {string} statuses a letter for each child
 * @returns {Promise<number>} the number of squares that differ
 */
export async function countWrongSquares(page, statuses) {
  const colours = await page.locator('[role=listbox] canvas').evaluate((canvas, count) => {
    if (!(canvas instanceof HTMLCanvasElement)) throw new Error('The grid has no canvas.');
    const { width } = canvas;
    const image = canvas.getContext('2d')?.getImageData(0, 0, width, canvas.height);
    const pixels = new Uint32Array(image?.data.buffer ?? new ArrayBuffer(0));
    // Squares have a free pixel at their right, so the pitch is the distance of the first two left edges.
    let pitch = 1;
    while (pitch < width && !(pixels[pitch - 1] === 0 && pixels[pitch] !== 0)) pitch += 1;
    const columns = Math.floor(width / pitch);
    const found = [];
    for (let square = 0; square < count; square += 1) {
      found.push(pixels[Math.floor(square / columns) * pitch * width + (square % columns) * pitch] ?? 0);
    }
    return found;
  }, statuses.length);
  /** @type {Map<string, Map<number, number>>} */
  const byStatus = new Map();
  for (const [place, colour] of colours.entries()) {
    const letter = statuses[place] ?? '';
    const status = SAME_COLOUR[/** @type {'G'} */ (letter)] ?? letter;
    const counts = byStatus.get(status) ?? new Map();
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
    byStatus.set(status, counts);
  }
  let wrong = 0;
  const used = new Set();
  for (const counts of byStatus.values()) {
    const [first, ...others] = [...counts].sort((a, b) => b[1] - a[1]);
    if (!first) continue;
    wrong += others.reduce((sum, [, count]) => sum + count, 0);
    // Nothing is painted where the colour is 0.
    if (first[0] === 0 || used.has(first[0])) wrong += first[1];
    used.add(first[0]);
  }
  return wrong;
}
