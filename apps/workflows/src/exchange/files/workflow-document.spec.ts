import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nameExport } from './workflow-document.js';

it.each([
  ['Port scan', 'Port scan.yaml'],
  ['Größe (v1.2)_x', 'Größe (v1.2)_x.yaml'],
  ['../../etc/passwd', 'etc-passwd.yaml'],
  ['a/b\\c:d*e?f"g<h>i|j', 'a-b-c-d-e-f-g-h-i-j.yaml'],
  ['💡', 'workflow.yaml'],
  ['...', 'workflow.yaml'],
  ['CON', 'workflow-CON.yaml'],
  ['line\r\nbreak', 'line-break.yaml'],
  ['x'.repeat(255), `${'x'.repeat(100)}.yaml`],
])('the export of the workflow %j has the file name %j', (workflow, file) => {
  expect(nameExport(workflow, 'yaml')).toBe(file);
});

it('the export of a workflow with any name has a file name that every system accepts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (workflow) => {
      const file = nameExport(workflow, 'json');
      expect(file).toMatch(/^[^/\\:*?"<>|\p{C}]+\.json$/u);
      expect(file).not.toMatch(/^[. -]|\.\.|[. ]\.json$/);
    }),
  );
});
