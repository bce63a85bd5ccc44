const INSTRUCTION_BYTES = 8;
const JUMPS: Record<number, (accumulator: number, value: number) => boolean> = {
  0x15: (accumulator, value) => accumulator === value,
  0x25: (accumulator, value) => accumulator > value,
  0x35: (accumulator, value) => accumulator >= value,
};

/**
 * Runs a classic BPF program as the kernel does, over an input of 32-bit words. It supports only the instructions that filters
 * of this package have, and throws for any other one, or if the program does not end.
 */
export function interpretBpf(program: Buffer, input: Readonly<Record<number, number>>): number {
  let accumulator = 0;
  for (let at = 0; at < program.length; at += INSTRUCTION_BYTES) {
    const [code, value] = [program.readUInt16LE(at), program.readUInt32LE(at + 4)];
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = wordAt(input, value);
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0;
    else {
      const isTaken = JUMPS[code];
      if (!isTaken) throw new Error(`unexpected instruction 0x${code.toString(16)}`);
      at += INSTRUCTION_BYTES * program.readUInt8(isTaken(accumulator, value) ? at + 2 : at + 3);
    }
  }
  throw new Error('the program does not end');
}

function wordAt(input: Readonly<Record<number, number>>, offset: number): number {
  const word = input[offset];
  if (word === undefined) throw new Error(`the program reads beyond its input, at ${offset}`);
  return word;
}
