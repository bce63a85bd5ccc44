import { spawn } from 'node:child_process';
import { fstatSync, type Stats } from 'node:fs';

/** A byte range; `end` is exclusive. */
export interface Extent {
  start: number;
  end: number;
}

/** Below this size, reading the holes costs less than the process that finds them. */
const MIN_SPARSE_BYTES = 16 * 1024 * 1024;
/**
 * The rest of a file with more extents is read normally, so a file with a million holes does not produce an endless
 * list.
 */
const MAX_EXTENTS = 10_000;

/** lseek(2) with SEEK_DATA (3) and SEEK_HOLE (4), which Node lacks. ENXIO: there is no data after the position. */
const PROGRAM = `
my ($at, $left) = (0, ${MAX_EXTENTS});
while ($left-- > 0) {
    my $start = sysseek(STDIN, $at, 3);
    if (!defined $start) { exit($!{ENXIO} ? 0 : 1) }
    $start += 0;
    my $end = sysseek(STDIN, $start, 4) // exit 1;
    print "$start $end\\n";
    $at = $end;
}
print "$at\\n";
`;

/** True if a file occupies so much less disk space than its size that finding its holes is worthwhile. */
export const hasHoles = ({ size, blocks }: Pick<Stats, 'size' | 'blocks'>): boolean =>
  size >= MIN_SPARSE_BYTES && blocks * 512 < size - MIN_SPARSE_BYTES / 2;

/**
 * Lists the data extents of an open file. Everything else is a hole, which reads as zeros and occupies no disk space.
 * Returns the whole file if it has no holes to speak of, or if the file system does not report them.
 */
export async function listDataExtents(descriptor: number): Promise<Extent[]> {
  const stats = fstatSync(descriptor);
  const { size } = stats;
  const whole = size === 0 ? [] : [{ start: 0, end: size }];
  if (!hasHoles(stats)) return whole;
  const output = await runProgram(descriptor).catch(() => null);
  return output === null ? whole : readExtents(output, size);
}

function runProgram(descriptor: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('perl', ['-MErrno', '-e', PROGRAM], { stdio: [descriptor, 'pipe', 'ignore'] });
    let output = '';
    child.stdout?.setEncoding('latin1').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`perl exited with code ${code}`))));
  });
}

function readExtents(output: string, size: number): Extent[] {
  const lines = output.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [start = 0, end = size] = line.split(' ').map(Number);
    return { start, end: Math.min(end, size) };
  });
}
