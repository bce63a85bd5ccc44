import { UserError } from '../report.mjs';

const HEADING = '## Unreleased';

/**
 * @param {string} changelog in the format of keepachangelog.com
 * @returns {string} the entries under "Unreleased"
 */
export function unreleasedOf(changelog) {
  const [, after = ''] = changelog.split(`${HEADING}\n`);
  const [notes = ''] = after.split(/^## /m);
  return notes.trim();
}

/**
 * Gives the entries under "Unreleased" a version and a date, and leaves an empty "Unreleased" above them.
 * @param {string} changelog
 * @param {string} version
 * @param {Date} date
 * @returns {{ text: string, notes: string }} notes: the entries of this release
 */
export function cutChangelog(changelog, version, date) {
  const notes = unreleasedOf(changelog);
  if (notes === '')
    throw new UserError(
      'CHANGELOG.md has nothing under "Unreleased", so there is nothing to release. Add an entry for each change.',
    );
  const day = date.toISOString().slice(0, 10);
  return { text: changelog.replace(HEADING, `${HEADING}\n\n## ${version} - ${day}`), notes };
}
