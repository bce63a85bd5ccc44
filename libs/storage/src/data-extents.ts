import { spawn } from 'node:child_process';
import { fstatSync, type Stats } from 'node:fs';

/** A range of bytes, `end` excluded. */
export interface Extent {
  start: number;
  end: number;
}

/** Below that, in bytes, reading the holes costs less than the process that finds them. */
const WORTH_A_LOOK = 16 * 1024 * 1024;
/** What comes behind so many extents is read as it is, so that a file of a million holes makes no endless list. */
const MAX_EXTENTS = 10_000;

/**
 * lseek(2) with SEEK_DATA (3) and SEEK_HOLE (4), which Node does not have. ENXIO: there is no data behind that position.
 */
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

/** Whether a file takes so much less disk than it has bytes that its holes are worth a look. */
export const hasHoles = ({ size, blocks }: Pick<Stats, 'size' | 'blocks'>): boolean =>
  size >= WORTH_A_LOOK && blocks * 512 < size - WORTH_A_LOOK / 2;

/**
 * Where the data of an open file is; all else are holes, which read as zeros and take no disk. The whole file, if it has
 * no holes worth a look, or the file system does not say.
 */
export async function listDataExtents(descriptor: number): Promise<Extent[]> {
  const stats = fstatSync(descriptor);
  const { size } = stats;
  const whole = size === 0 ? [] : [{ start: 0, end: size }];
  if (!hasHoles(stats)) return whole;
  const printed = await runProgram(descriptor).catch(() => null);
  return printed === null ? whole : readExtents(printed, size);
}

function runProgram(descriptor: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('perl', ['-MErrno', '-e', PROGRAM], { stdio: [descriptor, 'pipe', 'ignore'] });
    let printed = '';
    child.stdout?.setEncoding('latin1').on('data', (text: string) => (printed += text));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(printed) : reject(new Error(`perl ended with ${code}`))));
  });
}

function readExtents(printed: string, size: number): Extent[] {
  const lines = printed.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [start = 0, end = size] = line.split(' ').map(Number);
    return { start, end: Math.min(end, size) };
  });
}
