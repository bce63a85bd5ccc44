/**
 * Shifts the clock of a Node.js process that is started with `--import` of this file, by the milliseconds of
 * `SHIFT_CLOCK_MS`. Timers and `performance.now()` stay as they are, as when the clock of a machine is wrong.
 */
const shiftMs = Number(process.env.SHIFT_CLOCK_MS ?? 0);
const RealDate = Date;

class ShiftedDate extends RealDate {
  /** @param {ConstructorParameters<typeof Date>} values */
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + shiftMs);
    else super(...values);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }

  /** @param {unknown} value times of files are made by Node.js itself */
  static [Symbol.hasInstance](value) {
    return value instanceof RealDate;
  }
}

globalThis.Date = /** @type {DateConstructor} */ (/** @type {unknown} */ (ShiftedDate));
