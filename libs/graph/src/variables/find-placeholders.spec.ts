import { expect, it } from '@jest/globals';
import { findPlaceholders } from './find-placeholders.js';

it.each([
  ['${{vars.A}} and ${{ vars.B }}', ['A', 'B'], ['${{vars.A}}', '${{vars.B}}']],
  ['${{A}}', [null], ['${{vars.A}}']],
  ['${vars.A} {{ vars.B }}', [null, null], ['${{vars.A}}', '${{vars.B}}']],
  ['${{secrets.TOKEN}}', [null], ['${{vars.TOKEN}}']],
  ['${{ vars.}} ${{vars}}', [null, null], ['${{vars.NAME}}', '${{vars.NAME}}']],
  ['x ${{vars.RUN_ID', [null], ['${{vars.RUN_ID}}']],
  ['${{vars.A} ${{vars.B}}', [null, 'B'], ['${{vars.A}}', '${{vars.B}}']],
  ['${{ vars.A-B', [null], ['${{vars.A}}']],
  ['${{ vars.', [null], ['${{vars.NAME}}']],
  ['${{ vars } ${A} {{ b }} { vars.C }', [], []],
])('findPlaceholders reads %j', (text, names, suggestions) => {
  const found = findPlaceholders(text);
  expect(found.map(({ name }) => name)).toEqual(names);
  expect(found.map((placeholder) => placeholder.suggestion)).toEqual(suggestions);
});
