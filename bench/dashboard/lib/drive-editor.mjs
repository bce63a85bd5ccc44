/** @typedef {import('@playwright/test').Page} Page */

/** Chromium takes one wheel event for each frame. */
const FRAME_MS = 16;
/** xyflow zooms by 2 to this power for each pixel of the wheel with Ctrl. */
const ZOOM_PER_PIXEL = 0.02;

const pause = (/** @type {Page} */ page) => page.waitForTimeout(FRAME_MS);

/** @param {Page} page */
async function pointAtGraph(page) {
  const box = await page.getByRole('application', { name: /^Workflow / }).boundingBox();
  if (!box) throw new Error('The page shows no graph.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}

/**
 * Zooms with the wheel until the graph has a zoom.
 * @param {Page} page
 * @param {number} zoom
 */
export async function zoomTo(page, zoom) {
  await pointAtGraph(page);
  await page.keyboard.down('Control');
  for (let attempt = 0; attempt < 20; attempt++) {
    const current = await page
      .locator('.react-flow__viewport')
      .evaluate((element) =>
        Number(/scale\(([\d.]+)\)/.exec(/** @type {HTMLElement} */ (element).style.transform)?.[1]),
      );
    if (Math.abs(current / zoom - 1) < 0.01) break;
    await page.mouse.wheel(0, -Math.log2(zoom / current) / ZOOM_PER_PIXEL);
    await page.waitForTimeout(100);
  }
  await page.keyboard.up('Control');
  await page.waitForTimeout(1_000);
}

/**
 * Moves the view with the wheel: right and down, then back.
 * @param {Page} page
 * @param {number} steps
 */
export async function pan(page, steps) {
  await pointAtGraph(page);
  for (let step = 0; step < steps; step++) {
    const direction = step < steps / 2 ? 1 : -1;
    await page.mouse.wheel(direction * 24, direction * 12);
    await pause(page);
  }
}

/**
 * Zooms in and out around a zoom.
 * @param {Page} page
 * @param {number} steps
 */
export async function zoomAround(page, steps) {
  await pointAtGraph(page);
  await page.keyboard.down('Control');
  for (let step = 0; step < steps; step++) {
    await page.mouse.wheel(0, Math.floor(step / 10) % 2 === 0 ? -2 : 2);
    await pause(page);
  }
  await page.keyboard.up('Control');
}

/**
 * Types into the script of the open node.
 * @param {Page} page
 * @param {number} keys
 * @returns {Promise<number[]>} milliseconds from each keystroke to the frame that shows it
 */
export async function typeInScript(page, keys) {
  await page.getByRole('textbox', { name: /^Script of / }).click();
  await page.evaluate(() => {
    /** @type {number[]} */
    const times = [];
    Object.assign(globalThis, { keyTimes: times });
    const painted = new MessageChannel();
    /** @type {number[]} */
    let pressed = [];
    painted.port1.addEventListener('message', () => {
      times.push(...pressed.map((at) => performance.now() - at));
      pressed = [];
    });
    painted.port1.start();
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        pressed.push(timeStamp);
        requestAnimationFrame(() => painted.port2.postMessage(0));
      },
      { capture: true },
    );
  });
  await page.keyboard.type('x'.repeat(keys), { delay: 120 });
  await page.waitForTimeout(500);
  return page.evaluate(() => /** @type {{ keyTimes: number[] }} */ (/** @type {unknown} */ (globalThis)).keyTimes);
}

/**
 * Opens an address and waits for the picture of the graph.
 * @param {Page} page
 * @param {string} url
 * @returns {Promise<number>} milliseconds from the navigation to the frame that shows the graph
 */
export async function openGraph(page, url) {
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector('[role=application] > canvas'))
        requestAnimationFrame(() => Object.assign(globalThis, { graphPaintedAt: performance.now() }));
      else requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(url);
  const painted = await page.waitForFunction(
    () => /** @type {{ graphPaintedAt?: number }} */ (globalThis).graphPaintedAt,
  );
  return /** @type {number} */ (await painted.jsonValue());
}
