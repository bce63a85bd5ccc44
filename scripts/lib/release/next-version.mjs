import { UserError } from '../report.mjs';
import { unreleasedOf } from './cut-changelog.mjs';

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/**
 * The version of the next release (semver.org): a minor one if the changelog names something added, changed or removed,
 * a patch if there are only fixes.
 * @param {string} current
 * @param {string} changelog
 * @param {string} [requested]
 */
export function nextVersion(current, changelog, requested) {
  const [, major = 0, minor = 0, patch = 0] = (VERSION.exec(current) ?? []).map(Number);
  if (requested !== undefined) {
    if (!VERSION.test(requested)) throw new UserError(`"${requested}" is not a version. Use one such as 0.2.0.`, 2);
    const [, ...parts] = (VERSION.exec(requested) ?? []).map(Number);
    if (!isGreater(parts, [major, minor, patch]))
      throw new UserError(`${requested} is not greater than the current version ${current}.`, 2);
    return requested;
  }
  const isMinor = /^### (Added|Changed|Removed|Deprecated)$/m.test(unreleasedOf(changelog));
  return isMinor ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/**
 * @param {number[]} a
 * @param {number[]} b
 */
function isGreater(a, b) {
  const first = a.findIndex((part, index) => part !== b[index]);
  return first !== -1 && (a[first] ?? 0) > (b[first] ?? 0);
}
