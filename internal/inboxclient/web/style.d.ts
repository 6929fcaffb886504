/** Gives a shadow tree a style sheet, once. @param {ShadowRoot} root @param {string} [text] */
export function adopt(root: ShadowRoot, text?: string): void;
