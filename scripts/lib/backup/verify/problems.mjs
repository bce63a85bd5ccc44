const MAX_LISTED = 20;

/** Collects problems, of which it keeps the first ones. */
export class Problems {
  count = 0;
  /** @type {string[]} */
  listed = [];

  /** @param {string} problem a sentence */
  add(problem) {
    this.count++;
    if (this.listed.length < MAX_LISTED) this.listed.push(problem);
  }

  /** @returns {string[]} lines for the user */
  format() {
    const rest = this.count - this.listed.length;
    return rest === 0 ? this.listed : [...this.listed, `… and ${rest} more problems`];
  }
}
