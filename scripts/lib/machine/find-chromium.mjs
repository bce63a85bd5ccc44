import { findCommand } from './find-command.mjs';

/** Names of the executable on Debian and Fedora, on Alpine and older systems, and as Google publishes it. */
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Folders of the executable on macOS, where it is on no PATH. */
const MACOS_COMMANDS = [
  ['Chromium', '/Applications/Chromium.app/Contents/MacOS'],
  ['Google Chrome', '/Applications/Google Chrome.app/Contents/MacOS'],
];

/**
 * @param {NodeJS.ProcessEnv} env `CHROMIUM_PATH` takes precedence
 * @param {(command: string, path?: string) => string | undefined} [find] as `findCommand`
 * @returns {string | undefined} the absolute path of Chromium or Google Chrome
 */
export function findChromium(env, find = findCommand) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  for (const command of COMMANDS) {
    const file = find(command);
    if (file) return file;
  }
  return MACOS_COMMANDS.map(([command = '', folder]) => find(command, folder)).find(Boolean);
}
