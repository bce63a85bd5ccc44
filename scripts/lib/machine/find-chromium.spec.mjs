import { describe, expect, it } from '@jest/globals';
import { findChromium } from './find-chromium.mjs';

const findOnly =
  (/** @type {string[]} */ ...names) =>
  (/** @type {string} */ name, folder = '/usr/bin') =>
    names.includes(name) ? `${folder}/${name}` : undefined;

describe('findChromium', () => {
  it.each(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])('finds %s', (name) => {
    expect(findChromium({}, findOnly(name))).toBe(`/usr/bin/${name}`);
  });

  it('prefers Chromium to Google Chrome', () => {
    expect(findChromium({}, findOnly('google-chrome', 'chromium'))).toBe('/usr/bin/chromium');
  });

  it('finds the application on macOS', () => {
    expect(findChromium({}, findOnly('Google Chrome'))).toBe(
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    );
  });

  it('returns the executable that CHROMIUM_PATH names', () => {
    expect(findChromium({ CHROMIUM_PATH: '/opt/chromium' }, findOnly('chromium'))).toBe('/opt/chromium');
  });

  it('returns nothing if no browser is installed', () => {
    expect(findChromium({}, () => undefined)).toBeUndefined();
  });
});
