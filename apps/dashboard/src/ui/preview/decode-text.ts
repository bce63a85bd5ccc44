/** Decodes the first part of a text. Bytes of a character that the cut has split are dropped. */
export const decodeText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes, { stream: true });

const CONTROL_PICTURES = 0x2400;

/** Replaces control characters, which browsers do not show, by their pictures: escape becomes `␛`. Tabs and line ends remain. */
export const showControlCharacters = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, (character) =>
      String.fromCharCode(CONTROL_PICTURES + character.charCodeAt(0)),
    )
    .replaceAll('\u007f', '␡');
