import { describe, expect, it } from '@jest/globals';
import { parseFlags } from './parse-flags.mjs';
import { UserError } from './report.mjs';

const NAMES = /** @type {const} */ (['detach', 'yes']);

describe('parseFlags', () => {
  it('reads the flags that are given and leaves the others off', () => {
    expect(parseFlags(NAMES, ['--detach'], {}, '')).toEqual({ detach: true, yes: false });
  });

  it('counts a flag that npm took for its own', () => {
    expect(parseFlags(NAMES, [], { npm_config_detach: 'true', npm_config_yes: '' }, '')).toEqual({
      detach: true,
      yes: false,
    });
  });

  it.each([['--dettach'], ['now'], ['--detach=no']])('refuses %s and shows the usage', (argument) => {
    expect(() => parseFlags(NAMES, [argument], {}, 'USAGE')).toThrow(UserError);
    expect(() => parseFlags(NAMES, [argument], {}, 'USAGE')).toThrow('USAGE');
  });
});
