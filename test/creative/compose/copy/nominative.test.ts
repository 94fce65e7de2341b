import { describe, expect, it } from 'vitest';
import { toNominative } from '../../../../src/creative/compose/copy/language/nominative.js';
import { POLISH_GENITIVE, RUSSIAN_GENITIVE } from '../../../../src/creative/compose/copy/language/words/endings.js';

describe('a subject in the genitive', () => {
  it.each([
    ['lamp biurkowych', 'lampy biurkowe'],
    ['chleba na zakwasie', 'chleb na zakwasie'],
    ['kawy ziarnistej', 'kawa ziarnista'],
    ['kursu online', 'kurs online'],
    ['letniej kolekcji', 'letnia kolekcja'],
    ['plecaka turystycznego', 'plecak turystyczny'],
    ['ubezpieczenia turystycznego', 'ubezpieczenie turystyczne'],
    ['konta oszczędnościowego', 'konto oszczędnościowe'],
    ['poduszek ortopedycznych', 'poduszki ortopedyczne'],
    ['mebli ogrodowych', 'meble ogrodowe'],
    ['usług księgowych', 'usługi księgowe'],
  ])('of Polish becomes a nominative: %s', (genitive, nominative) => {
    expect(toNominative(genitive, POLISH_GENITIVE)).toBe(nominative);
  });

  it.each([
    ['набора травяных чаёв', 'набор травяных чаёв'],
    ['летней коллекции', 'летняя коллекция'],
    ['электрического чайника', 'электрический чайник'],
    ['нового приложения', 'новое приложение'],
    ['курсов английского языка', 'курсы английского языка'],
    ['ортопедических подушек', 'ортопедические подушки'],
    ['мужской обуви', 'мужская обувь'],
  ])('of Russian becomes a nominative: %s', (genitive, nominative) => {
    expect(toNominative(genitive, RUSSIAN_GENITIVE)).toBe(nominative);
  });

  it('stays as it is where endings do not tell, and where it is a name', () => {
    expect(toNominative('krzeseł biurowych', POLISH_GENITIVE)).toBeUndefined();
    expect(toNominative('Lumeo', POLISH_GENITIVE)).toBeUndefined();
    expect(toNominative('детских кресел', RUSSIAN_GENITIVE)).toBeUndefined();
  });
});
