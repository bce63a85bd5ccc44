import { execFileSync } from 'node:child_process';
import { formatTable } from '../scripts/lib/format-table.mjs';
import { runMain } from '../scripts/lib/report.mjs';
import { ROLES } from './images/roles.mjs';

const MB = 1e6;

/**
 * Prints the size of every image, and how much of it is the base image. Base images of different origin have different sizes, so
 * the difference is what Millrace adds. Environment: IMAGE_PREFIX (millrace), BASE_IMAGE (debian:bookworm-slim).
 */
await runMain(async () => {
  const prefix = process.env['IMAGE_PREFIX'] || 'millrace';
  const base = process.env['BASE_IMAGE'] || 'debian:bookworm-slim';
  const baseSize = sizeOf(base);
  const rows = Object.keys(ROLES).map((role) => {
    const image = `${prefix}-${role}`;
    const size = sizeOf(image);
    return [image, format(size), format(size - baseSize), userOf(image)];
  });
  console.log(formatTable(['IMAGE', 'SIZE', `ABOVE ${base}`, 'USER'], rows));
});

/** @param {number} bytes */
function format(bytes) {
  return `${Math.round(bytes / MB)} MB`;
}

/** @param {string} image */
function sizeOf(image) {
  return Number(inspect(image, '{{.Size}}'));
}

/** @param {string} image */
function userOf(image) {
  return inspect(image, '{{.Config.User}}') || 'root';
}

/**
 * @param {string} image
 * @param {string} template
 */
function inspect(image, template) {
  return execFileSync('docker', ['image', 'inspect', '--format', template, image], { encoding: 'utf8' }).trim();
}
