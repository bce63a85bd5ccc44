import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Limits } from '@millrace/isolation/limits/limits';
import { type ContainerExecutor, ImageUnavailableError } from '../container-executor.js';
import { startContainerSlot, type TestContainerSlot } from './start-container-slot.js';

export interface ContractSubject {
  /** It is prepared. */
  executor: ContainerExecutor;
  /** Image with `sh` and the usual small programs on its PATH, such as busybox. */
  image: string;
  /** A well-formed reference of an image that cannot be pulled. */
  missingImage: string;
  end(): Promise<void>;
}

/** What depends on the cluster and not on the executor `kubernetes`. */
export interface ContractParts {
  /** The number of processes is limited, and steps without the network have no interface. */
  hasKernelLimits: boolean;
  /** How much a command prints on each stream, in megabytes. */
  printedMegabytes: number;
}

const MIB = 1024 * 1024;
const SUCCESS = { code: 0, signal: null, killReason: null };

/** What every executor of containers does, as a test suite. @param start called once, before the first test */
export function describeExecutorContract(
  name: string,
  start: () => Promise<ContractSubject>,
  { hasKernelLimits, printedMegabytes }: ContractParts = { hasKernelLimits: true, printedMegabytes: 50 },
): void {
  let subject: ContractSubject;
  beforeAll(async () => {
    subject = await start();
  });
  afterAll(async () => {
    await subject.end();
  });

  const withSlot = async (test: (one: TestContainerSlot) => Promise<void>, limits: Partial<Limits> = {}) => {
    const one = startContainerSlot(subject.executor, subject.image, limits);
    try {
      await test(one);
    } finally {
      await one.end();
    }
  };

  describe(`a command in a container of ${name}`, () => {
    it('ends with its exit code, and its two streams are apart', () =>
      withSlot(async ({ sh }) => {
        expect(await sh('echo out; echo err >&2; exit 3')).toMatchObject({
          ...{ code: 3, signal: null, killReason: null },
          ...{ stdout: 'out\n', stderr: 'err\n' },
        });
        expect(await sh('true')).toMatchObject({ ...SUCCESS, stdout: '', stderr: '' });
      }));

    it(`prints ${printedMegabytes} MB on each stream, and nothing is lost or mixed`, () =>
      withSlot(async ({ sh, slot }) => {
        const bytes = printedMegabytes * 1_000_000;
        const fill = (letter: string) => `head -c ${bytes} /dev/zero | tr '\\0' ${letter}`;
        expect((await sh(`${fill('a')} & ${fill('b')} >&2; wait`)).code).toBe(0);
        for (const [stream, letter] of [
          ['stdout', 'a'],
          ['stderr', 'b'],
        ] as const) {
          const content = readFileSync(join(slot.folders.step, stream));
          expect([
            content.length,
            content.indexOf(letter),
            content.every((byte) => byte === letter.charCodeAt(0)),
          ]).toEqual([bytes, 0, true]);
        }
      }));

    it('writes its output to the files while it runs', () =>
      withSlot(async ({ sh, slot }) => {
        const running = sh('echo first; sleep 5');
        const log = join(slot.folders.step, 'stdout');
        while (!existsSync(log) || statSync(log).size === 0) await new Promise((resolve) => setTimeout(resolve, 50));
        slot.stop(0);
        expect((await running).stdout).toBe('first\n');
      }));

    it('gets its arguments and its environment unchanged', () =>
      withSlot(async ({ run }) => {
        const words = ['', 'two words', 'a"b\'c', '$HOME `id` \\', 'line\nbreak', 'zwölf 漢字 🙂', '-n'];
        const script = 'for word; do printf "%s|" "$word"; done; printf "%s" "$TEXT"';
        const { stdout } = await run(['sh', '-c', script, 'sh', ...words], { env: { TEXT: 'ä = "b"\nc' } });
        expect(Buffer.from(stdout, 'latin1').toString()).toBe(`${words.map((word) => `${word}|`).join('')}ä = "b"\nc`);
      }));

    it('has a path of its image, its working directory, and a home that it can write to', () =>
      withSlot(async ({ sh }) => {
        const { stdout, ...exit } = await sh('test -n "$PATH" && pwd && touch "$HOME/file" /tmp/other && echo written');
        expect([exit.code, stdout]).toEqual([0, '/work\nwritten\n']);
      }));

    it('reads its inputs, and cannot change them', () =>
      withSlot(async ({ sh, slot }) => {
        await slot.writeInputFile(join(slot.folders.input, 'a.txt'), Buffer.from('content'));
        const { stdout } = await sh(
          'cat in/a.txt; echo x > in/a.txt; rm -f in/a.txt; touch in/b; mv in other; echo "$?"',
        );
        expect(stdout).toMatch(/^content[1-9]\d*\n$/);
        expect(readFileSync(join(slot.folders.input, 'a.txt'), 'utf8')).toBe('content');
      }));

    it('leaves its outputs to the worker, whatever they are', () =>
      withSlot(async ({ sh, slot }) => {
        const script =
          'mkdir -p out/a/b; echo text > out/a/b/c; ln -s /etc/passwd out/link; ln -s ../.. out/up; mkfifo out/pipe; ' +
          'echo run > out/exe; chmod 4755 out/exe; echo none > out/none; chmod 000 out/none';
        expect((await sh(script)).code).toBe(0);
        const { output } = slot.folders;
        expect(readFileSync(join(output, 'a/b/c'), 'utf8')).toBe('text\n');
        expect(readdirSync(output).sort()).toEqual(expect.arrayContaining(['a', 'exe', 'none']));
        // A link may be left out, but must not have become what it leads to.
        for (const link of ['link', 'up'].map((one) => lstatSync(join(output, one), { throwIfNoEntry: false })))
          expect(link?.isSymbolicLink() ?? true).toBe(true);
      }));

    it('finds nothing of an earlier command', () =>
      withSlot(async ({ sh, slot }) => {
        await sh('touch /tmp/file file out/file; chmod 500 out; chmod 777 .');
        await slot.clear();
        expect((await sh('ls /tmp . out; touch out/new')).stdout).not.toContain('file');
      }));

    it('that needs more memory than its limit is killed, with the reason', () =>
      withSlot(async ({ sh }) => {
        const exit = await sh('tail -n 1 /dev/zero', { memoryBytes: 64 * MIB });
        expect(exit).toMatchObject({ killReason: 'memory' });
        expect(exit.code).not.toBe(0);
        expect((await sh('echo alive')).stdout).toBe('alive\n');
      }));

    it('cannot write a file, or print, above the size of a file', () =>
      withSlot(
        async ({ sh }) => {
          expect(await sh('exec head -c 2000000 /dev/zero > out/file')).toMatchObject({ killReason: 'fileSize' });
          expect(await sh('exec cat /dev/zero')).toMatchObject({ killReason: 'fileSize' });
        },
        { fileBytes: MIB },
      ));

    it('that writes more than its disk limit is killed', () =>
      withSlot(
        async ({ sh }) => {
          const script = 'for name in 1 2 3 4; do head -c 1000000 /dev/zero > out/$name; done; sleep 30';
          expect(await sh(script)).toMatchObject({ killReason: 'disk' });
        },
        { diskBytes: 2 * MIB },
      ));

    it('that ends at TERM has its time to do so, with all of its processes', () =>
      withSlot(async ({ sh, slot }) => {
        const running = sh('trap "echo bye; exit 0" TERM; echo ready; sleep 100');
        await waitForOutput(slot.folders.step);
        const begun = Date.now();
        slot.stop(20_000);
        expect((await running).stdout).toBe('ready\nbye\n');
        expect(Date.now() - begun).toBeLessThan(15_000);
      }));

    it('that ignores TERM is killed after its time', () =>
      withSlot(async ({ sh, slot }) => {
        const running = sh('trap "" TERM; echo ready; while :; do sleep 1; done');
        await waitForOutput(slot.folders.step);
        slot.stop(1_000);
        expect(await running).toMatchObject({ code: null, signal: 'SIGKILL', killReason: null });
      }));

    it('that is stopped before it runs does not run', () =>
      withSlot(async ({ sh, slot }) => {
        await slot.open({ network: false, memoryBytes: 64 * MIB, image: subject.image });
        const running = slot.run({ argv: ['sh', '-c', 'touch out/file; sleep 100'], env: {} });
        slot.stop(0);
        expect((await running).code).not.toBe(0);
        await slot.clear();
        expect((await sh('echo next')).stdout).toBe('next\n');
      }));

    if (hasKernelLimits) {
      it('cannot start more processes than its limit', () =>
        withSlot(
          async ({ sh }) => {
            const { stderr, code } = await sh('for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 1 & done; wait; exit 0');
            expect([stderr !== '', code === 0 ? 'ended' : 'failed']).toEqual([true, expect.any(String)]);
            expect(stderr.toLowerCase()).toContain('fork');
          },
          { processes: 8 },
        ));

      it('has no network unless it may have one', () =>
        withSlot(async ({ sh }) => {
          const script = 'cat /proc/net/dev | grep -c : || true';
          expect((await sh(script)).stdout).toBe('1\n');
        }));
    }

    it('has no capabilities, and cannot gain any', () =>
      withSlot(async ({ sh }) => {
        const { stdout } = await sh('grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status');
        expect(stdout.replaceAll(/\s+/g, ' ')).toBe('CapEff: 0000000000000000 CapBnd: 0000000000000000 NoNewPrivs: 1 ');
      }));

    it('reports its processor time and memory', () =>
      withSlot(async ({ sh }) => {
        const { cpuMs, maxRssBytes } = await sh('i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done');
        expect([cpuMs > 50, maxRssBytes > 10_000]).toEqual([true, true]);
      }));

    it('that does not exist is exit code 127, one that cannot be executed 126', () =>
      withSlot(async ({ run }) => {
        const missing = await run(['no-such-program', 'x']);
        expect([missing.code, missing.stderr]).toEqual([
          127,
          expect.stringMatching(/cannot run no-such-program: No such file or directory\n$/),
        ]);
        const folder = await run(['/etc']);
        expect([folder.code, folder.stderr]).toEqual([126, expect.stringMatching(/cannot run \/etc: .+\n$/)]);
      }));

    it('in an image that cannot be pulled fails with a message that names it', () =>
      withSlot(async ({ sh }) => {
        const failed = sh('true', { image: subject.missingImage });
        await expect(failed).rejects.toThrow(ImageUnavailableError);
        await expect(failed).rejects.toThrow(subject.missingImage);
        expect((await sh('echo next')).stdout).toBe('next\n');
      }));

    it('runs beside others', async () => {
      const both = ['one', 'two'].map(async (word) => {
        let printed = '';
        await withSlot(async ({ sh }) => {
          printed = (await sh(`sleep 1; echo ${word}`)).stdout;
        });
        return printed;
      });
      expect(await Promise.all(both)).toEqual(['one\n', 'two\n']);
    });
  });
}

async function waitForOutput(folder: string): Promise<void> {
  const log = join(folder, 'stdout');
  while (!existsSync(log) || statSync(log).size === 0) await new Promise((resolve) => setTimeout(resolve, 50));
}
