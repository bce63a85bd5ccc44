import { describe, expect, it } from '@jest/globals';
import { interpretBpf } from '../testing/interpret-bpf.js';
import { assembleBpf, BpfAssemblyError, type BpfLine } from './bpf-assembler.js';

const returns = (value: number): BpfLine => ({ kind: 'return', value });
const label = (name: string): BpfLine => ({ kind: 'label', name });

describe('the BPF assembler', () => {
  it('writes each instruction as the eight bytes of the kernel, with labels as distances', () => {
    const program = assembleBpf([
      { kind: 'load', offset: 4 },
      { kind: 'and', mask: 0xbfff_ffff },
      { kind: 'jump', condition: 'greaterOrEqual', value: 0xc000_003e, ifTrue: 'last' },
      { kind: 'jump', condition: 'greater', value: 1, ifFalse: 'last' },
      returns(1),
      label('last'),
      returns(0x7fff_0000),
    ]);
    expect(program.toString('hex').match(/.{16}/g)).toEqual([
      '2000000004000000',
      '54000000ffffffbf',
      '350002003e0000c0',
      '2500000101000000',
      '0600000001000000',
      '060000000000ff7f',
    ]);
  });

  it.each([
    ['equal', [0, 1, 0]],
    ['greater', [0, 0, 1]],
    ['greaterOrEqual', [0, 1, 1]],
  ] as const)('takes a jump on "%s" only if the condition holds', (condition, expected) => {
    const program = assembleBpf([
      { kind: 'load', offset: 0 },
      { kind: 'jump', condition, value: 7, ifTrue: 'yes' },
      returns(0),
      label('yes'),
      returns(1),
    ]);
    expect([6, 7, 8].map((word) => interpretBpf(program, { 0: word }))).toEqual(expected);
  });

  it('resolves two labels at one instruction to the same distance', () => {
    const program = assembleBpf([
      { kind: 'load', offset: 0 },
      { kind: 'jump', condition: 'equal', value: 1, ifTrue: 'first', ifFalse: 'second' },
      returns(0),
      label('first'),
      label('second'),
      returns(5),
    ]);
    expect([0, 1].map((word) => interpretBpf(program, { 0: word }))).toEqual([5, 5]);
  });

  const jump: BpfLine = { kind: 'jump', condition: 'equal', value: 0, ifTrue: 'target' };
  it.each<[string, BpfLine[], string]>([
    ['a label that is missing', [jump, returns(0)], 'Label target is not defined.'],
    ['a label that is defined twice', [label('target'), label('target')], 'Label target is defined twice.'],
    ['a jump backwards', [label('target'), jump, returns(0)], 'Label target is before the jump to it.'],
    [
      'a jump that does not fit into eight bits',
      [jump, ...Array.from({ length: 256 }, () => returns(0)), label('target'), returns(1)],
      'Label target is 256 instructions away; a jump skips at most 255.',
    ],
  ])('refuses %s', (_, lines, message) => {
    expect(() => assembleBpf(lines)).toThrow(new BpfAssemblyError(message));
  });
});
