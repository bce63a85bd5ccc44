/**
 * One line of a classic BPF program. `load` puts 32 bits of the input, at an offset in bytes, into the accumulator; `and`
 * masks the accumulator; `jump` compares it, unsigned, and continues at a label, or with the next instruction if none is
 * named; `return` ends the program. A label names the instruction after it.
 */
export type BpfLine =
  | { kind: 'label'; name: string }
  | { kind: 'load'; offset: number }
  | { kind: 'and'; mask: number }
  | { kind: 'jump'; condition: keyof typeof JUMP_CODES; value: number; ifTrue?: string; ifFalse?: string }
  | { kind: 'return'; value: number };

type Instruction = Exclude<BpfLine, { kind: 'label' }>;

/** A program that cannot be assembled: a label is missing, defined twice, behind its jump, or too far away. */
export class BpfAssemblyError extends Error {
  override name = 'BpfAssemblyError';
}

/** Codes of linux/bpf_common.h: class, size or operation, and source of each instruction. */
const LOAD_ABSOLUTE_WORD = 0x20;
const AND_CONSTANT = 0x54;
const RETURN_CONSTANT = 0x06;
const JUMP_CODES = { equal: 0x15, greater: 0x25, greaterOrEqual: 0x35 } as const;
const INSTRUCTION_BYTES = 8;
/** An offset has eight bits. */
const MAX_JUMP = 255;

/**
 * Assembles a program into the bytes of `struct sock_filter` (linux/filter.h), little-endian as on every architecture that
 * the runner supports.
 * @throws BpfAssemblyError for a label that no jump can reach
 */
export function assembleBpf(lines: readonly BpfLine[]): Buffer {
  const positions = locateLabels(lines);
  const instructions = lines.filter((line): line is Instruction => line.kind !== 'label');
  const program = Buffer.alloc(instructions.length * INSTRUCTION_BYTES);
  for (const [index, instruction] of instructions.entries()) {
    const { code, value, ifTrue = 0, ifFalse = 0 } = encode(instruction, index, positions);
    const at = index * INSTRUCTION_BYTES;
    program.writeUInt16LE(code, at);
    program.writeUInt8(ifTrue, at + 2);
    program.writeUInt8(ifFalse, at + 3);
    program.writeUInt32LE(value, at + 4);
  }
  return program;
}

/** Index of the instruction that each label names. */
function locateLabels(lines: readonly BpfLine[]): Map<string, number> {
  const positions = new Map<string, number>();
  let index = 0;
  for (const line of lines) {
    if (line.kind !== 'label') index += 1;
    else if (positions.has(line.name)) throw new BpfAssemblyError(`Label ${line.name} is defined twice.`);
    else positions.set(line.name, index);
  }
  return positions;
}

function encode(
  instruction: Instruction,
  index: number,
  positions: ReadonlyMap<string, number>,
): { code: number; value: number; ifTrue?: number; ifFalse?: number } {
  switch (instruction.kind) {
    case 'load':
      return { code: LOAD_ABSOLUTE_WORD, value: instruction.offset };
    case 'and':
      return { code: AND_CONSTANT, value: instruction.mask };
    case 'return':
      return { code: RETURN_CONSTANT, value: instruction.value };
    case 'jump':
      return {
        code: JUMP_CODES[instruction.condition],
        value: instruction.value,
        ifTrue: distanceTo(instruction.ifTrue, index, positions),
        ifFalse: distanceTo(instruction.ifFalse, index, positions),
      };
  }
}

/** Instructions to skip. The kernel takes no jump backwards. */
function distanceTo(label: string | undefined, index: number, positions: ReadonlyMap<string, number>): number {
  if (label === undefined) return 0;
  const position = positions.get(label);
  if (position === undefined) throw new BpfAssemblyError(`Label ${label} is not defined.`);
  const distance = position - index - 1;
  if (distance < 0) throw new BpfAssemblyError(`Label ${label} is before the jump to it.`);
  if (distance > MAX_JUMP) {
    throw new BpfAssemblyError(`Label ${label} is ${distance} instructions away; a jump skips at most ${MAX_JUMP}.`);
  }
  return distance;
}
