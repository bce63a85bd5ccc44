import { readYaml, YamlError, type Place } from './read-yaml.js';
import { writeYaml } from './write-yaml.js';

/** What a thread is to do: read a text, or write the value that a JSON text holds. */
export interface YamlTask {
  kind: 'read' | 'write';
  text: string;
}

/** JSON of what was read, or the YAML that was written; else the problem, which says where it is. */
export type YamlResult = { text: string } | { problem: string; at: Place | null };

export function runYamlTask({ kind, text }: YamlTask): YamlResult {
  try {
    return { text: kind === 'read' ? JSON.stringify(readYaml(text)) : writeYaml(JSON.parse(text)) };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { problem: error.message, at: error.at };
  }
}
