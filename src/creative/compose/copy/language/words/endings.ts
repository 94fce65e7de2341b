import type { CaseEndings } from '../nominative.js';

type Rows = CaseEndings['nouns']['bare'];

const PL_PLURAL: Rows = [
  [/(?<=[kg])ów$/u, 'i'],
  [/(?<=[bdfłmnprstw]|(?<![rcs])z)ów$/u, 'y'],
  [/(?<=^(?:łóż|biur|jabł|ciast|pudeł))ek$/u, 'ka'],
  [/(?<=[^aeiouyąęó])ek$/u, 'ki'],
  [/(?<=l)i$/u, 'e'],
  [/(?<=^(?:win|piw|aut|ciast))$/u, 'a'],
  [/(?<=[aeiouyąęó]g)$/u, 'i'],
  [/(?<=[aeiouyąęó]c)$/u, 'e'],
  [/(?<=(?:[bdfmpstw]|(?<!e)[łnr]|(?<![rcs])z))$/u, 'y'],
];
const PL_FEMININE: Rows = [
  [/(?<=[csz])ji$/u, 'ja'],
  [/ii$/u, 'ia'],
  [/(?<=[kg])i$/u, 'a'],
  [/(?<=oś)ci$/u, 'ć'],
  [/(?<=n)i$/u, 'ia'],
  [/(?<!cz|rz)y$/u, 'a'],
];
const PL_MASCULINE: Rows = [
  [/(?<=[nc]i)a$/u, 'e'],
  [/(?<=stw|dł|^(?:win|piw|mięs|aut|mlek|biur|kont))a$/u, 'o'],
  [/odu$/u, 'ód'],
  [/oju$/u, 'ój'],
  [/(?<=[aeiouyąęó][bdgklłmnprstwz]|[krnslp]t|rs)[au]$/u, ''],
];

/** The genitive of Polish. */
export const POLISH_GENITIVE: CaseEndings = {
  adjectives: { plural: /(?:ych|ich)$/u, feminine: /ej$/u, masculine: /ego$/u },
  nouns: {
    plural: PL_PLURAL,
    feminine: PL_FEMININE,
    masculine: PL_MASCULINE,
    bare: [
      ...PL_FEMININE.slice(0, 3),
      [/(?<=(?:ar|ow|al|el)n)i$/u, 'ia'],
      [/(?<!cz|rz)y$/u, 'a'],
      ...PL_MASCULINE,
      ...PL_PLURAL,
    ],
  },
  adjectiveEndings: {
    plural: [
      [/ich$/u, 'ie'],
      [/ych$/u, 'e'],
    ],
    feminine: [
      [/(?<=[kg])iej$/u, 'a'],
      [/iej$/u, 'ia'],
      [/ej$/u, 'a'],
    ],
    masculine: [
      [/iego$/u, 'i'],
      [/ego$/u, 'y'],
    ],
    neuter: [[/ego$/u, 'e']],
  },
  neuter: /[oe]$/u,
  isAdjectiveBehind: true,
};

const RU_PLURAL: Rows = [
  [/(?<=[кгх])ов$/u, 'и'],
  [/(?<=[бвдзлмнпрстф])ов$/u, 'ы'],
  [/(?<=ц)ев$/u, 'ы'],
  [/(?<=[аоуеи])[её]в$/u, 'и'],
  [/(?<=[бвгджзлмнпрстфхчшщц])[ое]к$/u, 'ки'],
  [/(?<=ци)й$/u, 'и'],
  [/(?<=[лрнтд])ей$/u, 'и'],
  [/(?<=^(?:вин|блюд|мест|одеял))$/u, 'а'],
  [/(?<=[бвдзмпрстф]|(?<![ео])[лн])$/u, 'ы'],
  [/(?<=[аоуеиыя][гхк])$/u, 'и'],
];
const RU_FEMININE: Rows = [
  [/(?<=и)и$/u, 'я'],
  [/(?<=[кгх])и$/u, 'а'],
  [/(?<=ст|[вл])и$/u, 'ь'],
  [/(?<=н)и$/u, 'я'],
  [/ы$/u, 'а'],
];
const RU_MASCULINE: Rows = [
  [/(?<=и)я$/u, 'е'],
  [/(?<=[аоуе])я$/u, 'й'],
  [/(?<=ств|^(?:молок|одеял|кресл|масл|мест|вин|пив|мяс))а$/u, 'о'],
  [/(?<=л)я$/u, 'ь'],
  [/(?<=[аеиоуыюя][бвгдзклмнпрстфхчшж]|[крнс]т|рс)а$/u, ''],
];

/** The genitive of Russian. */
export const RUSSIAN_GENITIVE: CaseEndings = {
  adjectives: { plural: /(?:ых|их)$/u, feminine: /(?:ой|(?<=[жшщн])ей)$/u, masculine: /(?:ого|его)$/u },
  nouns: {
    plural: RU_PLURAL,
    feminine: RU_FEMININE,
    masculine: RU_MASCULINE,
    bare: [...RU_FEMININE.slice(0, 3), [/ы$/u, 'а'], ...RU_MASCULINE, ...RU_PLURAL],
  },
  adjectiveEndings: {
    plural: [
      [/их$/u, 'ие'],
      [/ых$/u, 'ые'],
    ],
    feminine: [
      [/ой$/u, 'ая'],
      [/(?<=[жшщ])ей$/u, 'ая'],
      [/ей$/u, 'яя'],
    ],
    masculine: [
      [/(?<=[гкхжшчщ])ого$|его$/u, 'ий'],
      [/ого$/u, 'ый'],
    ],
    neuter: [
      [/ого$/u, 'ое'],
      [/его$/u, 'ее'],
    ],
  },
  neuter: /[ое]$/u,
  isAdjectiveBehind: false,
};

const UK_PLURAL: Rows = [
  [/(?<=[бвгґдзклмнпрстфхчшж])ів$/u, 'и'],
  [/(?<=[бвгґджзлмнпрстфхчшщц])[оеі]к$/u, 'ки'],
  [/(?<=ці)й$/u, 'ї'],
  [/(?<=[бвдзлмнпрстфжшч])$/u, 'и'],
];
const UK_FEMININE: Rows = [
  [/ості$/u, 'ість'],
  [/(?<=і)ї$/u, 'я'],
  [/(?<=[нл])і$/u, 'я'],
  [/(?<=[бвгґджзклмнпрстфхчшщц])и$/u, 'а'],
];
const UK_MASCULINE: Rows = [
  [/(?<=(?:нн|тт|лл|дд|зз)я)$/u, ''],
  [/(?<=[аеиоу])ю$/u, 'й'],
  [/лю$/u, 'ль'],
  [/(?<=[бвгґджзклмнпрстфхчшщц])у$/u, ''],
];

/** The genitive of Ukrainian. */
export const UKRAINIAN_GENITIVE: CaseEndings = {
  adjectives: { plural: /(?:их|іх)$/u, feminine: /(?:ої|ьої)$/u, masculine: /(?:ого|ього)$/u },
  nouns: {
    plural: UK_PLURAL,
    feminine: UK_FEMININE,
    masculine: UK_MASCULINE,
    bare: [...UK_FEMININE.slice(0, 3), ...UK_MASCULINE, ...UK_PLURAL.slice(0, 3), ...UK_FEMININE.slice(3)],
  },
  adjectiveEndings: {
    plural: [
      [/іх$/u, 'і'],
      [/их$/u, 'і'],
    ],
    feminine: [
      [/ьої$/u, 'я'],
      [/ої$/u, 'а'],
    ],
    masculine: [
      [/ього$/u, 'ій'],
      [/ого$/u, 'ий'],
    ],
    neuter: [[/ого$/u, 'е']],
  },
  neuter: /(?:[оея]|нн|тт)$/u,
  isAdjectiveBehind: false,
};

/** Returns the endings of an accusative in which only feminine words differ from the nominative. */
function accusative(adjective: RegExp, ending: string, nouns: Rows): CaseEndings {
  const feminine: Rows = [[adjective, ending]];
  return {
    adjectives: { plural: /(?!)/u, feminine: adjective, masculine: /(?!)/u },
    nouns: { plural: [], feminine: nouns, masculine: [], bare: nouns },
    adjectiveEndings: { plural: [], feminine, masculine: [], neuter: [] },
    neuter: /(?!)/u,
    isAdjectiveBehind: false,
  };
}

/** The accusative of Polish. */
export const POLISH_ACCUSATIVE = accusative(/ą$/u, 'a', [[/ę$/u, 'a']]);
/** The accusative of Czech. */
export const CZECH_ACCUSATIVE = accusative(/ou$/u, 'á', [
  [/u$/u, 'a'],
  [/(?<=c)i$/u, 'e'],
]);
/** The accusative of Ukrainian. */
export const UKRAINIAN_ACCUSATIVE = accusative(/(?<=[нвкцшч])у$/u, 'а', [
  [/у$/u, 'а'],
  [/(?<=[іьлн])ю$/u, 'я'],
]);
