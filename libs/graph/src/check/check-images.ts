import { showName } from '../names/check-name.js';
import { type Level } from '../parse/level.js';
import { type Problems } from './problem.js';

/** Warns of images that may be another one tomorrow: a name without a tag means whatever `latest` is. */
export function checkImages(level: Level, warnings: Problems): void {
  for (const { name, node } of level.nodes.values()) {
    const part = node.type === 'TOOL' ? 'container' : 'script';
    const image = node[part]?.image?.trim() ?? '';
    if (image === '' || hasTag(image)) continue;
    const message = `the image ${showName(image)} of node ${showName(name)} has no tag, so what it runs may change`;
    const hint = `name a version, as in ${showName(`${image.slice(0, 60)}:1.0`)}, or a digest`;
    warnings.add({ code: 'image_without_tag', message, node: name, path: `nodes.${name}.${part}.image`, hint });
  }
}

/**
 * Whether an image reference names a version: `name:tag` or `name@sha256:…`. The colon of `registry:5000/name` is a port.
 * https://pkg.go.dev/github.com/distribution/reference
 */
const hasTag = (image: string): boolean => image.includes('@') || /:[^/]+$/.test(image);
