import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ImageUnavailableError } from '../container-executor.js';
import { DockerApi } from './docker-api.js';
import { ImagePuller } from './image-puller.js';

const DIGEST = `sha256:${'0'.repeat(64)}`;
let folder: string;
let server: Server;
let puller: ImagePuller;
let present: Set<string>;
let requests: string[];
/** The end of the response to a pull. */
let ending: string;

/** As the tests write it. */
function nameOf({ searchParams }: URL): string {
  const [name, tag] = ['fromImage', 'tag'].map((one) => searchParams.get(one) ?? '');
  return `${name}${tag?.startsWith('sha256:') ? '@' : ':'}${tag}`;
}

/** The requests for images of the Engine API, with the responses that a daemon of Docker 20.10 gives. */
beforeEach(async () => {
  [folder, present, requests, ending] = [
    mkdtempSync(join(tmpdir(), 'millrace-pull-')),
    new Set(),
    [],
    '{"status":"x"}',
  ];
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://docker');
    const image = /^\/images\/(.+)\/json$/.exec(decodeURIComponent(url.pathname))?.[1];
    if (image === undefined) {
      if (!ending.includes('error')) present.add(nameOf(url));
      requests.push(`pull ${url.searchParams.get('fromImage')} ${url.searchParams.get('tag')}`);
      setTimeout(() => response.end(`{"status":"Pulling"}\r\n${ending}\r\n`), 20);
      return;
    }
    requests.push(`find ${image}`);
    response.statusCode = present.has(image) ? 200 : 404;
    response.end(
      JSON.stringify(
        present.has(image) ? { Config: { Volumes: { '/data': {} } } } : { message: `No such image: ${image}` },
      ),
    );
  });
  const socketPath = join(folder, 'docker.sock');
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  puller = new ImagePuller(new DockerApi({ address: 'unix', tls: false, options: { socketPath } }), folder);
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('an image', () => {
  it.each([
    ['debian:12', 'pull debian 12'],
    [`registry:5000/a/b@${DIGEST}`, `pull registry:5000/a/b ${DIGEST}`],
  ])('%s is pulled only if it is absent', async (image, pull) => {
    expect(await puller.ensure(image)).toEqual({ volumes: ['/data'] });
    await puller.ensure(image);
    expect(requests.filter((one) => one.startsWith('pull'))).toEqual([pull]);
  });

  it.each(['debian', 'debian:latest'])('%s is pulled even if it is there, but not for every step', async (image) => {
    present.add(image);
    await puller.ensure(image);
    await puller.ensure(image);
    expect(requests).toEqual(['pull debian latest', `find ${image}`, `find ${image}`]);
  });

  it('is pulled once for steps that need it at the same time', async () => {
    await Promise.all(Array.from({ length: 5 }, () => puller.ensure('debian:12')));
    expect(requests.filter((one) => one.startsWith('pull'))).toHaveLength(1);
  });

  it('that cannot be pulled is an error with the reason of the registry', async () => {
    ending = '{"errorDetail":{"message":"denied"},"error":"pull access denied for tools"}';
    const failed = puller.ensure('tools:1');
    await expect(failed).rejects.toThrow(ImageUnavailableError);
    await expect(failed).rejects.toThrow('image tools:1 cannot be pulled: pull access denied for tools');
  });

  it.each(['../containers', 'a?b', 'a b', '/a', 'a@b', 'a//b'])('%j is refused without a request', async (image) => {
    await expect(puller.ensure(image)).rejects.toThrow('it must be a reference such as "debian:12"');
    expect(requests).toEqual([]);
  });

  it('without a daemon is not an error of the image', async () => {
    server.close();
    await expect(puller.ensure('debian:12')).rejects.not.toThrow(ImageUnavailableError);
  });
});
