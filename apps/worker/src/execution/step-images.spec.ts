import { describe, expect, it } from '@jest/globals';
import { StepImages } from './step-images.js';

const stepIn = (image?: string) => ({
  program: { kind: 'script' as const, language: 'bash' as const, source: '', args: [], ...(image && { image }) },
});

describe('a step in a container', () => {
  it('runs in the image of its node, or in that of the worker', () => {
    const images = new StepImages('docker', 'debian:12');
    expect([images.of(stepIn('tools:1')), images.of(stepIn())]).toEqual(['tools:1', 'debian:12']);
  });

  it('has a cache key for its executor and its image as it is written', () => {
    const runners = [
      new StepImages('docker', 'debian:12').runnerOf(stepIn('tools:1')),
      new StepImages('docker', 'debian:12').runnerOf(stepIn()),
      new StepImages('kubernetes', 'debian:12').runnerOf(stepIn()),
    ];
    expect(runners).toEqual([
      ['docker', 'tools:1'],
      ['docker', 'debian:12'],
      ['kubernetes', 'debian:12'],
    ]);
  });

  it.each(['tools', 'tools:latest', 'registry:5000/tools'])(
    'is not cached in the image %s, which may change',
    (image) => {
      expect(new StepImages('docker', 'debian:12').runnerOf(stepIn(image))).toBeNull();
      expect(new StepImages('docker', image).runnerOf(stepIn())).toBeNull();
    },
  );
});
