import { expect, it } from '@jest/globals';
import { chooseCases } from './choose-cases.js';

const CASES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

it('all cases run if no seed is set', () => {
  expect(chooseCases(CASES, 2, '')).toEqual(CASES);
});

it('a seed chooses the same cases each time, in their order', () => {
  for (let seed = 0; seed < 100; seed += 1) {
    const chosen = chooseCases(CASES, 3, String(seed));
    expect(chosen).toHaveLength(3);
    expect(chosen).toEqual(CASES.filter((one) => chosen.includes(one)));
    expect(chooseCases(CASES, 3, String(seed))).toEqual(chosen);
  }
});

it('every case runs in some of the runs', () => {
  const chosen = Array.from({ length: 100 }, (_, seed) => chooseCases(CASES, 2, String(seed))).flat();
  for (const one of CASES) expect(chosen.filter((other) => other === one).length).toBeGreaterThan(10);
});
