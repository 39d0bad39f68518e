const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
};

/** Returns the text in lower case, its Latin letters spelled with a-z: 'Ärger, Groß' becomes 'arger, gross'. */
export const plainLatin = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .replaceAll(/[^\0-\u007F]/g, (letter) => SPELLINGS[letter] ?? letter);
