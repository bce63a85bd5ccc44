#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 15)) {
  console.error(`millrace-worker needs Node.js 22.15 or later; this is ${process.versions.node}.`);
  process.exit(1);
}
await import('../dist/join/main.js');
