import { describe, expect, it } from '@jest/globals';
import { parseFlags } from './parse-flags.mjs';
import { UserError } from './report.mjs';

const NAMES = /** @type {const} */ (['detach', 'yes']);

describe('parseFlags', () => {
  it('sets the flags of the command line and leaves the others off', () => {
    expect(parseFlags(NAMES, ['--detach'], {}, '')).toEqual({ detach: true, yes: false });
  });

  it('includes a flag that npm consumed', () => {
    expect(parseFlags(NAMES, [], { npm_config_detach: 'true', npm_config_yes: '' }, '')).toEqual({
      detach: true,
      yes: false,
    });
  });

  it.each([['--dettach'], ['now'], ['--detach=no']])('rejects %s and shows the usage', (argument) => {
    expect(() => parseFlags(NAMES, [argument], {}, 'USAGE')).toThrow(UserError);
    expect(() => parseFlags(NAMES, [argument], {}, 'USAGE')).toThrow('USAGE');
  });
});
