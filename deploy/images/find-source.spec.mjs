import { describe, expect, it } from '@jest/globals';
import { findSource } from './find-source.mjs';

describe('the source label of an image', () => {
  it('is the address of the remote without credentials', () => {
    const git = () => 'https://user:token@git.example.org/team/millrace.git';
    expect(findSource({}, git)).toBe('https://git.example.org/team/millrace');
  });

  it('is SOURCE if that is set', () => {
    expect(findSource({ SOURCE: 'https://example.org' }, () => '')).toBe('https://example.org');
  });

  it('is unknown if the remote is a path or a host of SSH', () => {
    expect(findSource({}, () => 'git@git.example.org:team/millrace.git')).toBe('unknown');
    expect(findSource({}, () => '/srv/millrace')).toBe('unknown');
  });
});
