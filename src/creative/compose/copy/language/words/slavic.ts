import type { LanguageWords } from '../table.js';
import {
  CZECH_ACCUSATIVE,
  POLISH_ACCUSATIVE,
  POLISH_GENITIVE,
  RUSSIAN_GENITIVE,
  UKRAINIAN_ACCUSATIVE,
  UKRAINIAN_GENITIVE,
} from './endings.js';

const AD = '(?:reklam\\p{L}*|baner\\p{L}*|kampani\\p{L}*|plakat\\p{L}*|kreacj\\p{L}*|post\\p{L}{0,3}|spot\\p{L}{0,3})';
const MONTHS = 'stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia';

/** The words of Polish. */
export const POLISH: LanguageWords = {
  language: 'pl',
  isSpaced: true,
  hasListedBans: true,
  common:
    'i|w|na|z|do|dla|nie|się|jest|nasz\\p{L}*|oraz|że|to|od|po|cześć|potrzebujemy|przycisk|proszę|prosimy|o|zł|chodzi|będzie',
  months: MONTHS,
  genitive: POLISH_GENITIVE,
  accusative: POLISH_ACCUSATIVE,
  orders: [
    `(?:(?:proszę|prosimy|potrzebujemy|chcemy|chcielibyśmy|czy możecie|możecie|nam|o)\\s+)*(?:(?:stwórz|stworzyć|przygotuj\\p{L}*|przygotować|zrób\\p{L}*|zaprojektuj\\p{L}*|napisz\\p{L}*|stworzenie|przygotowanie)\\s+)?[^.!?\\n]{0,50}?(?<!\\p{L})${AD}\\s*(?:(?:dla|na temat|z okazji)\\s+(?<genitive>.*)|(?:promując\\p{L}*|o|na|reklamując\\p{L}*)\\s+(?<accusative>.*)|:\\s+(?<subject>.*))$`,
    `(?:(?:proszę|prosimy|potrzebujemy|chcemy|stwórz|przygotuj|zrób|zaprojektuj)\\s+)(?:o\\s+)?${AD}\\s+(?<genitive>.*)$`,
    '(?:promuj\\p{L}*|reklamuj\\p{L}*|wprowadzamy|uruchamiamy|otwieramy)\\s+(?<accusative>.*)$',
  ],
  promote: '(?:promocj[iaę]|premier[yaę]|otwarci[aeu])',
  presents: '(?:oferuje|sprzedaje|wynajmuje|produkuje|szuka|zatrudnia|otwiera|prezentuje)',
  determiner: '(?:nasz(?:a|e|ej|ego|ych|ym|ą)?|ten|ta|to|tej|tego)\\s+',
  newness: 'now(?:y|a|e|ego|ej|ych|ą)\\s+',
  newWord: 'Nowość',
  audience: 'dla (?:młodych|rodzin|kobiet|mężczyzn|rodziców|studentów|osób)|skierowan\\p{L}* do|grupa docelowa',
  detail: 'z|który|która|które|że|aby',
  joints: 'na|dla|z|i|do|w|od|o|teraz|rabat|zniżka',
  labels: {
    mustNot: 'bez(?=\\s?[:：])|nie (?:używać|wspominać|pisać|mówić)|unikać|zakazane(?: słowa)?|czego unikać',
    headline: 'slogan|nagłówek|tytuł|hasło|headline',
    body: 'tekst|opis|podtytuł|body',
    action: 'wezwanie do działania|cta|przycisk|call[- ]to[- ]action',
    product: 'produkt|usługa|wydarzenie|temat',
    brand: 'marka|klient',
    offer: 'oferta|promocja|rabat|komunikat|korzyści|zalety|przekaz',
    audience: 'dla kogo|grupa docelowa|odbiorcy|target',
    tone: 'kolorystyka|nastrój|ton|styl|klimat|kolory|zdjęcia|grafika',
    must: 'obowiązkowo|koniecznie|musi zawierać|zawrzeć',
    legal:
      'w stopce|stopka|drobny druk|warunki|gwiazdka|nota prawna|informacja prawna|zastrzeżenie|regulamin|disclaimer',
    language: 'język',
    code: 'kod(?: rabatowy)?',
    deadline: 'termin(?: promocji)?|ważne do|okres|data|daty',
    note: 'uwag[ai]',
    context: 'wymiary|kampania|cel|budżet|termin oddania|formaty?|rozmiary?|kanały|kontakt|tło|brief|projekt',
  },
  directive:
    '(?:nasi |nasze )?(?:klienci|odbiorcy|klientki) to|grupa docelowa|ton|powinn\\p{L}+ (?:\\p{L}+ ){0,3}(?:być|wyglądać|brzmieć|budzić)|ma być|wykrzyknik\\p{L}*|cta|przycisk|w załączniku|klient|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|budżet|kolorystyk\\p{L}+',
  directiveStart:
    '(?:nie \\p{L}{2,14}(?:ać|eć|ić|yć|ąć)|użyj\\p{L}*|proszę|unikaj\\p{L}*|zachowaj\\p{L}*|styl|kolory|bez (?:emoji|żargonu|przesady)|chcemy|zależy nam|coś|mów\\p{L}*)',
  greeting: '(?:cześć|witamy|dzień dobry|hej|witam|witajcie|szanowni państwo)(?: \\p{L}+)?[,!.]?',
  signOff: '(?:pozdrawiam\\p{L}*|dziękuj\\p{L}+|dzięki|z góry dziękuję|z poważaniem)',
  include: '(?:koniecznie )?(?:wspomnij\\p{L}*|dodaj\\p{L}*|podkreśl\\p{L}*|zaznacz\\p{L}*|napisz\\p{L}*)(?: o| że)?:?',
  includeTail:
    '(?:musi|muszą|powinn[oa]|powinny) (?:się )?(?:pojawić|znaleźć|być (?:widoczn|wspomnian)\\p{L}*)(?: [^.]*)?$',
  never:
    'nie wolno|zakaz\\p{L}*|nie (?:wspomina\\p{L}*|wymienia\\p{L}*|używa\\p{L}*|podawa\\p{L}*|podaj\\p{L}*|pis[zać]\\p{L}*|pokazuj\\p{L}*|mów\\p{L}*|obiecuj\\p{L}*|porównuj\\p{L}*)|unikaj\\p{L}*|bez (?:podawania|wspominania|cen|ceny)',
  topics: {
    price: 'cen\\p{L}{1,3}|koszt\\p{L}*',
    discount: 'rabat(?:ów|ach)',
    date: 'dat\\p{L}?',
    competitor: 'konkurencj\\p{L}+',
  },
  legal:
    'regulamin[^.]*|szczegóły (?:w|na)[^.]*|do wyczerpania zapasów|to jest lek[^.]*|przed użyciem[^.]*|rrso[^.]*|alkohol szkodzi[^.]*',
  event: '(?:(?:letnia|zimowa|wiosenna|jesienna|świąteczna) (?:wyprzedaż|promocja)|wyprzedaż|black friday)',
  deadline: `(?:(?:tylko |ważne )?(?:do|przed) (?:końca (?:miesiąca|roku|tygodnia|${MONTHS})|niedzieli|poniedziałku|wtorku|środy|czwartku|piątku|soboty|jutra|północy|\\d{1,2}(?:\\.\\d{1,2}(?:\\.\\d{2,4})?| (?:${MONTHS})))|w ten weekend|tylko dziś|od \\d{1,2}(?: (?:${MONTHS}))? do \\d{1,2} (?:${MONTHS})|(?:od )?\\d{1,2} (?:${MONTHS})(?: 20\\d\\d)?)`,
  offers:
    '(?:do )?[-–]?\\d{1,3} ?% (?:rabatu|zniżki|taniej)|(?:rabat|zniżka) (?:do )?\\d{1,3} ?%|[-–]\\d{1,2} ?%|2\\+1|\\d \\p{L}+ w cenie \\d|drugi (?:produkt )?(?:gratis|za pół ceny)|(?:pierwszy|pierwsza) (?:miesiąc|lekcja) (?:gratis|za darmo)',
  gains:
    'gratis|za darmo|bezpłatn\\p{L}+|darmow\\p{L}+|prezent|bez (?:opłat|prowizji|zobowiązań)|bonus|zwrot|rabat\\p{L}*|próbn\\p{L}+',
  code: '(?:z )?kod(?:em)?(?: rabatowym| rabatowy)?:? (?<code>[A-Z0-9][A-Z0-9_-]{2,19})',
  on: (offer, subject) => `${subject}: ${offer}`,
  codeLine: (code) => `Kod: ${code}`,
  actions: {
    shop: ['Kup teraz', 'Kup'],
    book: ['Zarezerwuj', 'Rezerwuj'],
    reserve: ['Zarezerwuj stolik', 'Rezerwuj'],
    order: ['Zamów teraz', 'Zamów'],
    join: ['Zapisz się'],
    download: ['Pobierz aplikację', 'Pobierz'],
    subscribe: ['Subskrybuj'],
    try: ['Wypróbuj za darmo', 'Wypróbuj'],
    quote: ['Zapytaj o ofertę', 'Oferta'],
    donate: ['Wesprzyj teraz', 'Wesprzyj'],
    drive: ['Umów jazdę próbną', 'Jazda próbna'],
    apply: ['Aplikuj teraz', 'Aplikuj'],
    visit: ['Zaplanuj wizytę', 'Odwiedź'],
    watch: ['Obejrzyj teraz', 'Obejrzyj'],
    learn: ['Dowiedz się więcej', 'Więcej'],
  },
  signs: {
    drive: 'jazd\\p{L} próbn\\p{L}+',
    donate: 'wesprzyj|darowizn\\p{L}+|zbiórk\\p{L}+',
    apply: 'prac[aęy]|aplikuj|rekrutacj\\p{L}+',
    quote: 'ubezpieczeni\\p{L}+|kredyt\\p{L}*',
    book: 'rezerw\\p{L}+|hotel\\p{L}*|lot\\p{L}{0,3}|wakacj\\p{L}+|wycieczk\\p{L}+',
    join: 'zapis\\p{L}+|kurs\\p{L}*|warsztat\\p{L}*|webinar\\p{L}*',
    try: 'okres próbny|oprogramowani\\p{L}+|za darmo',
    download: 'aplikacj\\p{L}+|pobierz',
    order: 'pizz\\p{L}+|jedzeni\\p{L}+|dostaw\\p{L}+|kaw[aęy]',
    visit: 'wystaw\\p{L}+|muzeum|otwarci\\p{L}+',
    shop: 'rabat\\p{L}*|wyprzedaż|sklep\\p{L}*|but\\p{L}*|kolekcj\\p{L}+|zakup\\p{L}*',
  },
  sponsored: 'Sponsorowane',
};

const RU_AD =
  '(?:баннер\\p{L}*|реклам\\p{L}*|объявлени\\p{L}+|кампани\\p{L}+|креатив\\p{L}*|постер\\p{L}*|плакат\\p{L}*)';
const RU_MONTHS = 'января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря';

/** The words of Russian. */
export const RUSSIAN: LanguageWords = {
  language: 'ru',
  isSpaced: true,
  hasListedBans: true,
  common:
    'и|в|на|с|для|не|что|по|от|только|как|или|это|при|нужен|нужн[аоы]|хотим|мы|о|за|до|ещё|пожалуйста|спасибо|кнопка|скидка|наш\\p{L}*',
  months: RU_MONTHS,
  genitive: RUSSIAN_GENITIVE,
  orders: [
    `(?:(?:пожалуйста,?|нам|мы|нужно|нужен|нужна|нужны|хотим|хотели бы|просим|можете|необходим\\p{L}*)\\s+)*(?:(?:создай\\p{L}*|создать|сделай\\p{L}*|сделать|подготовь\\p{L}*|подготовить|разработай\\p{L}*|разработать|напиши\\p{L}*)\\s+)?[^.!?\\n]{0,40}?(?<!\\p{L})${RU_AD}(?:\\s+${RU_AD})?\\s*(?:для\\s+(?<genitive>.*)|(?:о|об|про|на тему|на|под|с|:)\\s+(?<subject>.*))$`,
    '(?:продвига\\p{L}+|реклам\\p{L}+|запускаем|открываем)\\s+(?<subject>.*)$',
  ],
  promote: '(?:запуска|открытия|продвижения)',
  presents: '(?:предлагает|продаёт|продает|сдаёт|сдает|производит|ищет|запускает|открывает|представляет)',
  determiner: '(?:наш(?:а|е|ей|его|их|им|у)?|этот|эта|это)\\s+',
  newness: 'нов(?:ый|ая|ое|ого|ой|ые|ых|ую)\\s+',
  newWord: 'Новинка',
  audience: 'для (?:молод\\p{L}+|семей|женщин|мужчин|родителей|студентов|людей)|целевая аудитория|аудитория',
  detail: 'с|который|которая|которые|чтобы',
  joints: 'на|для|с|и|до|в|от|о|скидка|по',
  labels: {
    mustNot:
      'без(?=\\s?[:：])|чего не (?:надо|нужно)|не (?:использовать|упоминать|писать|говорить)|избегать|запрещено|стоп-слова',
    headline: 'заголовк\\p{L}+|главная фраза|хедлайн|название|заголовок|слоган',
    body: 'текст|описание|подзаголовок',
    action: 'призыв(?: к действию)?|на кнопке|призыв к действию|cta|кнопк[аиу]|текст кнопки',
    product: 'продукт|товар|услуга|мероприятие|тема',
    brand: 'бренд|клиент',
    offer: 'предложение|акция|скидка|оффер|преимущества|ключевое сообщение|выгоды',
    audience: 'для кого|аудитория|целевая аудитория|ца',
    tone: 'палитра|визуал|цветовая гамма|тон|стиль|настроение|цвета|изображения|дизайн',
    must: 'обязательно|должно быть|указать|включить',
    legal:
      'мелкий шрифт|мелким (?:текстом|шрифтом)|внизу|сноска|мелким шрифтом|юридическая (?:строка|информация)|дисклеймер|условия|правовая информация',
    language: 'язык',
    code: 'промокод|код',
    deadline: 'срок(?: акции)?|сроки|период|дата|даты|действует до',
    note: 'примечани[ея]',
    context: 'кампания|цель|бюджет|дедлайн|форматы?|размеры?|каналы|контакт|бриф|проект|контекст',
  },
  directive:
    'аудитория|тон(?:альность)?|долж(?:ен|на|но|ны) (?:\\p{L}+ ){0,2}(?:быть|выглядеть|звучать|вызывать)|восклицательн\\p{L}+|призыв к действию|кнопк\\p{L}+|заказчик|клиент|во вложении|\\d{2,4}\\s?[x×х]\\s?\\d{2,4}|бюджет|баннер|стил\\p{L}+',
  directiveStart:
    '(?:не \\p{L}{2,14}(?:ать|ять|еть|ить)|используй\\p{L}*|пожалуйста|избегай\\p{L}*|без (?:эмодзи|жаргона|пафоса|сленга|шуток|юмора)|хотим|хотелось|что-то|сделайте|говорите|пишите)',
  greeting:
    '(?:привет|всем привет|приветствую|доброго дня|здравствуйте|добрый день|доброе утро|коллеги|уважаемые коллеги)[,!.]?',
  signOff: '(?:спасибо|с уважением|заранее благодар\\p{L}+|благодарю)',
  include:
    '(?:обязательно )?(?:упомяни\\p{L}*|укажи\\p{L}*|добавь\\p{L}*|подчеркни\\p{L}*|напиши\\p{L}*)(?: что|,? что)?:?',
  includeTail: '(?:должн[оаы]|должен) (?:быть (?:указан|видн|упомянут)\\p{L}*|присутствовать)(?: [^.]*)?$',
  never:
    'не (?:упомина\\p{L}+|использ\\p{L}+|пис\\p{L}+|пиш\\p{L}+|указыва\\p{L}+|показыва\\p{L}+|говор\\p{L}+|обеща\\p{L}+|сравнива\\p{L}+)|избега\\p{L}+|без (?:упоминания|указания|цен|цены)',
  topics: {
    price: 'цен\\p{L}{0,3}|стоимост\\p{L}+',
    discount: 'скид(?:ок|ках)',
    date: 'дат\\p{L}{0,2}',
    competitor: 'конкурент\\p{L}*',
  },
  legal:
    'имеются противопоказания[^.]*|подробности (?:на|в|у)[^.]*|количество товара ограничено|18\\+|реклама\\. [^.]*|не является публичной офертой|чрезмерное употребление[^.]*',
  event: '(?:(?:летняя|зимняя|весенняя|осенняя|новогодняя) распродажа|распродажа|чёрная пятница|черная пятница)',
  deadline: `(?:(?:только )?(?:до|по) (?:конца (?:месяца|года|недели|${RU_MONTHS})|воскресенья|понедельника|вторника|среды|четверга|пятницы|субботы|завтра|полуночи|\\d{1,2}(?:\\.\\d{1,2}(?:\\.\\d{2,4})?| (?:${RU_MONTHS})))|в эти выходные|только сегодня|с \\d{1,2}(?: (?:${RU_MONTHS}))? по \\d{1,2} (?:${RU_MONTHS})|(?:с )?\\d{1,2} (?:${RU_MONTHS})(?: 20\\d\\d)?)`,
  offers:
    'скидк\\p{L}+ (?:до )?\\d{1,3} ?%|[-–]\\d{1,2} ?%|\\d{1,3} ?% скидки|1\\+1|втор(?:ой|ая) (?:товар )?в подарок|(?:первый|первое|первая) (?:месяц|занятие|урок) бесплатно|бесплатная доставка',
  gains:
    'бесплатн\\p{L}+|в подарок|подарок|без (?:комиссии|процентов|переплат|взноса)|бонус\\p{L}*|кэшбэк\\p{L}*|кешбэк\\p{L}*|скидк\\p{L}+|пробн\\p{L}+',
  code: '(?:по )?промокод(?:у|ом)?:? (?<code>[\\p{Lu}0-9][\\p{Lu}0-9_-]{2,19})',
  on: (offer, subject) => `${subject}: ${offer}`,
  codeLine: (code) => `Промокод: ${code}`,
  actions: {
    shop: ['Купить сейчас', 'Купить'],
    book: ['Забронировать', 'Бронь'],
    reserve: ['Забронировать стол', 'Бронь'],
    order: ['Заказать сейчас', 'Заказать'],
    join: ['Записаться'],
    download: ['Скачать приложение', 'Скачать'],
    subscribe: ['Подписаться'],
    try: ['Попробовать бесплатно', 'Попробовать'],
    quote: ['Узнать стоимость', 'Рассчитать'],
    donate: ['Помочь сейчас', 'Помочь'],
    drive: ['Записаться на тест-драйв', 'Тест-драйв'],
    apply: ['Откликнуться'],
    visit: ['Спланировать визит', 'Посетить'],
    watch: ['Смотреть сейчас', 'Смотреть'],
    learn: ['Узнать больше', 'Подробнее'],
  },
  signs: {
    drive: 'тест-драйв\\p{L}*',
    donate: 'пожертвован\\p{L}+|помочь',
    apply: 'вакансии|вакансия|работа',
    quote: 'страхован\\p{L}+|ипотек\\p{L}+|кредит\\p{L}*',
    book: 'брон\\p{L}+|отел\\p{L}+|рейс\\p{L}*|тур\\p{L}{0,2}|отдых\\p{L}*',
    join: 'запис\\p{L}+|курс\\p{L}*|вебинар\\p{L}*',
    try: 'пробный период|программ\\p{L}+|бесплатный доступ',
    download: 'приложени\\p{L}+|скача\\p{L}+',
    order: 'пицц\\p{L}+|доставк\\p{L}+|кофе|еда',
    visit: 'выставк\\p{L}+|музе\\p{L}+|открыти\\p{L}+',
    shop: 'скидк\\p{L}+|распродаж\\p{L}+|магазин\\p{L}*|обув\\p{L}+|коллекци\\p{L}+|купить',
  },
  sponsored: 'Реклама',
};

const UK_AD =
  '(?:банер\\p{L}{0,3}|реклам\\p{L}{0,4}|оголошенн\\p{L}|кампані\\p{L}{1,2}|креатив\\p{L}{0,3}|постер\\p{L}{0,3}|плакат\\p{L}{0,3}|допис\\p{L}{0,3}|ролик\\p{L}{0,3})';
const UK_MONTHS = 'січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня';

/** The words of Ukrainian. */
export const UKRAINIAN: LanguageWords = {
  language: 'uk',
  isSpaced: true,
  hasListedBans: true,
  common: 'та|і|й|для|з|із|не|до|від|що|наш\\p{L}*|або|на|у|в|це|ми|за|будь|лише',
  months: UK_MONTHS,
  genitive: UKRAINIAN_GENITIVE,
  accusative: UKRAINIAN_ACCUSATIVE,
  orders: [
    `(?:(?:будь ласка,?|нам|ми|потрібн\\p{L}{1,2}|потрібен|хочемо|хотіли б|просимо|чи можете|можете|зробити|зробіть|зроби|створіть|створи|створити|підготуйте|підготувати|розробіть|напишіть|треба)\\s+){0,12}[^.!?:\\n]{0,40}?(?<!\\p{L})${UK_AD}(?:\\s+${UK_AD})?(?!\\p{L})\\s*(?:для\\s+(?<genitive>.*)|(?:про|на)\\s+(?<accusative>.*)|(?:з|на тему|:)\\s+(?<subject>.*))$`,
    '(?:просуваємо|рекламуємо|запускаємо|відкриваємо|продаємо|пропонуємо|презентуємо)\\s+(?<accusative>.*)$',
    '(?:йдеться про|мова про)\\s+(?<accusative>.*)$',
    '(?:нам )?(?:потрібне щось|хочемо щось|щось) для\\s+(?<genitive>.*)$',
  ],
  promote: '(?:запуску|відкриття|просування)',
  presents: '(?:пропонує|продає|здає|виробляє|шукає|запускає|відкриває|презентує|має)',
  determiner: '(?:наш(?:а|е|ої|ого|их|им|у|і|ою)?|цей|ця|це|усі|всі)\\s+',
  newness: 'нов(?:ий|а|е|ого|ої|і|их|у|ою)\\s+',
  newWord: 'Новинка',
  audience:
    'для (?:молод\\p{L}+|родин|сімей|жінок|чоловіків|батьків|студентів|людей|тих,? хто)|цільова аудиторія|аудиторія',
  detail: 'з|із|який|яка|які|щоб|де',
  joints: 'на|для|з|із|та|і|й|до|в|у|від|про|знижка|за|по',
  labels: {
    mustNot:
      'без(?=\\s?[:：])|чого не (?:треба|потрібно)|не (?:використовувати|згадувати|писати|казати|вживати)|уникати|заборонено|стоп-слова|чого не має бути',
    headline: 'заголовк\\p{L}+|головна фраза|хедлайн|заголовок|слоган|гасло',
    body: 'текст|опис|підзаголовок',
    action: 'на кнопці|заклик(?: до дії)?|cta|кнопк[аиу]|текст кнопки',
    product: 'продукт|товар|послуга|захід|подія|тема',
    brand: 'бренд|клієнт|замовник|компанія',
    offer: 'пропозиція|акція|знижка|офер|переваги|ключове повідомлення|вигоди|меседж',
    audience: 'аудиторія|цільова аудиторія|ца|для кого',
    tone: 'палітра|візуал|тон(?:альність)?|стиль|настрій|кольори|зображення|дизайн',
    must: "обов[’'ʼ]язково|має бути|вказати|зазначити|додати",
    legal:
      'дрібний (?:шрифт|текст)|дрібним (?:шрифтом|текстом)|юридичн(?:ий|а) (?:текст|рядок|інформація)|дисклеймер|умови|дрібним шрифтом|виноска|правова інформація|внизу',
    language: 'мова',
    code: 'промокод|код',
    deadline: 'термін(?: дії)?|терміни|період|дата|дати|діє до|строк',
    note: 'примітк[аи]|зауваження',
    context: 'кампанія|мета|ціль|бюджет|дедлайн|формати?|розміри?|канали|контакти?|бриф|проєкт|контекст|конкуренти',
  },
  directive:
    'аудиторія|тон(?:альність)?|(?:має|мають|повин(?:ен|на|но|ні)) (?:\\p{L}+ ){0,2}(?:бути|виглядати|звучати|викликати|передавати)|знак\\p{L}* оклику|заклик до дії|кнопк\\p{L}+|замовник|клієнт хоче|у вкладенні|торік|\\d{2,4}\\s?[x×х]\\s?\\d{2,4}|бюджет|банер|стил(?:ь|і|ем)|чернетк\\p{L}+|дедлайн|терміново',
  directiveStart:
    '(?:будь ласка,?\\s+)?(?:не \\p{L}{2,14}(?:ати|яти|іти|ити)|використ\\p{L}+|уникай\\p{L}*|без (?:емодзі|жаргону|пафосу|сленгу|жартів|гумору)|хочемо|хотілося|щось|зробіть|говоріть|пишіть|надішліть|чекаємо|сподіваюся|як домовлялися|не надто|не занадто|звертай\\p{L}*)',
  greeting:
    '(?:привіт|вітаю|добрий день|доброго дня|доброго ранку|добрий ранок|колеги|шановні колеги)(?: (?:колеги|команд[ао]))?[,!.]?',
  signOff: '(?:дякую|дякуємо|з повагою|заздалегідь вдячн\\p{L}+|наперед дякую|гарного дня)',
  include:
    "(?:обов[’'ʼ]язково )?(?:згадай\\p{L}*|вкажіть|вкажи|додай\\p{L}*|підкресл\\p{L}+|напиши|напишіть|зазнач\\p{L}+|наголосі\\p{L}+)(?: обов[’'ʼ]язково)?(?:,? що| про)?:?",
  never:
    'не (?:можна |треба |варто |слід )?(?:згаду\\p{L}+|використ\\p{L}+|вжива\\p{L}+|пис\\p{L}+|пиш\\p{L}+|вказу\\p{L}+|показу\\p{L}+|каза\\p{L}+|каж\\p{L}+|говор\\p{L}+|обіця\\p{L}+|порівню\\p{L}+|назива\\p{L}+)|уника\\p{L}+|без (?:згад\\p{L}+|вказ\\p{L}+|цін|ціни|обіцянок|порівнянь)|жодн(?:их|ої|ого) (?:цін|ціни|обіцянок|згадок|згадки|слова)',
  topics: {
    price: 'цін\\p{L}{0,3}|вартіст\\p{L}*|вартост\\p{L}+',
    discount: 'знижок|знижки|знижках|відсотк\\p{L}+',
    date: 'дат(?:у|и|а)?',
    competitor: 'конкурент\\p{L}*',
  },
  legal:
    'самолікування[^.]*|перед застосуванням[^.]*|деталі (?:на|в|у)[^.]*|докладніше (?:на|в|у) [^.]*|кількість товару обмежена[^.]*|кількість обмежена[^.]*|18\\+|21\\+|не є публічною офертою|надмірне (?:споживання|вживання)[^.]*|участь в азартних іграх[^.]*|ліцензія[^.]*|умови акції[^.]*|реальна річна[^.]*|реклама лікарського[^.]*',
  event:
    "(?:(?:літній|зимовий|весняний|осінній|новорічний|різдвяний) (?:розпродаж|ярмарок)|розпродаж|чорна п[’'ʼ]ятниця|день відкритих дверей)",
  deadline: `(?:(?:тільки |лише |діє )?(?:до|по) (?:кінця (?:місяця|року|тижня|${UK_MONTHS})|неділі|понеділка|вівторка|середи|четверга|п[’'ʼ]ятниці|суботи|завтра|опівночі|\\d{1,2}(?:\\.\\d{1,2}(?:\\.\\d{2,4})?| (?:${UK_MONTHS})))|цими вихідними|(?:тільки|лише) сьогодні|(?:з|із|від) \\d{1,2}(?: (?:${UK_MONTHS}))? (?:по|до) \\d{1,2} (?:${UK_MONTHS})|\\d{1,2} ?[–-] ?\\d{1,2} (?:${UK_MONTHS})|(?:з )?\\d{1,2} (?:${UK_MONTHS}))`,
  offers:
    'знижк\\p{L}+ (?:до )?[-–]?\\d{1,3} ?%|[-–]\\d{1,2} ?%|\\d{1,3} ?% (?:знижки|дешевше)|1\\+1(?:=3)?|друг(?:ий|а|е) (?:товар )?(?:у|в) подарунок|перш(?:ий|е|а) (?:місяць|заняття|урок|тиждень) (?:безкоштовно|безплатно)|(?:безкоштовна|безплатна) доставка',
  gains:
    '(?:безкоштовн|безплатн)\\p{L}+|(?:у|в) подарунок|подарун\\p{L}+|без (?:комісії|комісій|відсотків|переплат|внеску|застави)|бонус\\p{L}*|кешбек\\p{L}*|знижк\\p{L}+|пробн\\p{L}+|гаранті\\p{L}+|розстрочк\\p{L}+',
  code: '(?:за )?промокод(?:у|ом)?:? (?<code>[\\p{Lu}0-9][\\p{Lu}0-9_-]{2,19})',
  on: (offer, subject) => `${subject}: ${offer}`,
  codeLine: (code) => `Промокод: ${code}`,
  actions: {
    shop: ['Купити зараз', 'Купити'],
    book: ['Забронювати', 'Бронь'],
    reserve: ['Забронювати столик', 'Бронь'],
    order: ['Замовити зараз', 'Замовити'],
    join: ['Записатися'],
    download: ['Завантажити застосунок', 'Завантажити'],
    subscribe: ['Підписатися'],
    try: ['Спробувати безплатно', 'Спробувати'],
    quote: ['Дізнатися вартість', 'Розрахувати'],
    donate: ['Підтримати зараз', 'Підтримати'],
    drive: ['Записатися на тест-драйв', 'Тест-драйв'],
    apply: ['Відгукнутися'],
    visit: ['Завітати до нас', 'Завітати'],
    watch: ['Дивитися зараз', 'Дивитися'],
    learn: ['Дізнатися більше', 'Докладніше'],
  },
  signs: {
    drive: 'тест-драйв\\p{L}*',
    donate: 'пожертв\\p{L}+|донат\\p{L}*|збір коштів',
    apply: 'вакансі\\p{L}+|робота|шукаємо',
    quote: 'страхуванн\\p{L}|іпотек\\p{L}+|кредит\\p{L}*',
    book: 'брон\\p{L}+|готел\\p{L}+|рейс\\p{L}*|тур\\p{L}{0,2}|відпочин\\p{L}+',
    subscribe: 'підпис\\p{L}+|розсилк\\p{L}+',
    join: 'запис\\p{L}+|курс\\p{L}*|вебінар\\p{L}*|реєстраці\\p{L}+',
    try: 'пробний період|програм\\p{L}+|безкоштовний доступ',
    download: 'застосунок|застосунку|додаток|завантаж\\p{L}+',
    order: 'піц\\p{L}+|доставк\\p{L}+|кав[аиу]|їжа|замов\\p{L}+',
    watch: 'трейлер|серіал|фільм',
    visit: 'виставк\\p{L}+|музе\\p{L}+|відкритт\\p{L}',
    shop: 'знижк\\p{L}+|розпродаж\\p{L}*|магазин\\p{L}*|взутт\\p{L}+|колекці\\p{L}+|купити',
  },
  sponsored: 'Реклама',
};

const CS_AD =
  '(?:reklam(?:a|u|y|ě|ní (?:banner|kampaň))|inzerát\\p{L}{0,2}|banner\\p{L}{0,2}|bannerov\\p{L}{1,3} kampa(?:ň|ně|ni)|kampa(?:ň|ně|ni)|plakát\\p{L}{0,2}|kreativ\\p{L}{0,2}|příspěv(?:ek|ky)|spot\\p{L}{0,2})';
const CS_MONTHS = 'ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince';

/** The words of Czech. */
export const CZECH: LanguageWords = {
  language: 'cs',
  isSpaced: true,
  hasListedBans: true,
  common: 'a|pro|na|se|že|je|naš\\p{L}*|nebo|bez|který|jako|do|od|s|v|z|ve|aby|jen|tlačítko|prosím|ne|kč|jde|bude',
  months: CS_MONTHS,
  accusative: CZECH_ACCUSATIVE,
  orders: [
    `(?:(?:prosím(?:e)?|potřebujeme|potřebuji|chceme|chtěli bychom|rádi bychom|můžete|můžeš|nám|vytvořte|vytvořit|připravte|připravit|udělejte|udělat|navrhněte|napište|o)\\s+){0,12}[^.!?:\\n]{0,50}?(?<!\\p{L})${CS_AD}(?!\\p{L})(?:\\s*\\(?\\d+\\s?[x×]\\s?\\d+\\)?)?\\s*(?:(?:na|pro|propagující)\\s+(?<accusative>.*)|(?:o|k|ke|s|:)\\s+(?<subject>.*))$`,
    '(?:propagujte|propagujeme|uvádíme|spouštíme|otevíráme|otvíráme|prodáváme|nabízíme|pořádáme|představujeme|(?:potřebujeme|chceme) něco (?:na|pro))\\s+(?<accusative>.*)$',
    '(?:jde o|jedná se o)\\s+(?<accusative>.*)$',
  ],
  promote: '(?:otevření|uvedení|spuštění|propagac[ei])',
  presents: '(?:nabízí|prodává|pronajímá|vyrábí|hledá|přijme|otevírá|otvírá|uvádí|představuje|pořádá|má)',
  determiner: '(?:náš|naše|naši|našeho|našich|naší|ten|ta|to|ty|tento|tuto|všechny|všechno|celý|celou)\\s+',
  newness: '(?:zcela |úplně )?nov(?:ý|á|é|ou|ého|ých|ém)\\s+',
  newWord: 'Novinka',
  audience:
    'pro (?:mladé|rodiny|ženy|muže|rodiče|studenty|seniory|ty,? kdo|ty,? kteří|všechny,? kdo|začátečníky)|cílová skupina|cílíme na|určen\\p{L}* pro',
  detail: 's|se|který|která|které|aby|kde',
  joints: 'na|pro|s|se|a|i|do|v|ve|od|z|o|nyní|teď|sleva|až|u|k|ke',
  labels: {
    mustNot:
      'nechceme|ne(?=\\s?[:：])|nepsat|čemu se vyhnout|ne(?:používat|zmiňovat|psát|uvádět|říkat|používejte|zmiňujte)|vyhnout se|zakázáno|zakázaná slova|co ne',
    headline: 'hlavní věta|titulek|nadpis|slogan|headline',
    body: 'text|popis|podtitulek|podnadpis',
    action: 'výzva(?: k akci)?|cta|tlačítko|text tlačítka|call[- ]to[- ]action',
    product: 'produkt|služba|výrobek|akce|událost|téma|předmět',
    brand: 'značka|klient|zadavatel|firma',
    offer: 'nabídka|sleva|sdělení|hlavní sdělení|výhody|benefity|přínosy|claim',
    audience: 'cílová skupina|cílovka|pro koho|publikum',
    tone: 'vzhled|atmosféra|tón|tonalita|styl|nálada|barvy|obrázky|fotky|vizuál|design|logo',
    must: 'povinně|povinné|musí (?:obsahovat|zaznít|tam být|být)|nezapomeňte|uvést',
    legal:
      'drobné písmo|drobným písmem|pod čarou|hvězdička|právní(?: text| informace| doložka| řádek)?|podmínky|drobným písmem|disclaimer|patička',
    language: 'jazyk',
    code: '(?:slevový |promo ?)?kód',
    deadline: 'platnost|platí(?: do)?|termín(?: akce)?|období|datum|trvání',
    note: 'poznámk[ay]',
    context:
      'velikosti|kampaň|cíl|cíle|rozpočet|termín odevzdání|deadline|formát(?:y)?|rozměr(?:y)?|kanály|kontakt|pozadí|brief|zadání|projekt|konkurence|média|odkaz',
  },
  directive:
    'cílová skupina|cílovka|tón|tonalita|(?:má|měl[aoy]? by|musí|ať) (?:\\p{L}+ ){0,3}?(?:být|působit|vypadat|znít|vyvolat)|vykřičník\\p{L}*|cta|tlačítko|v příloze|klient|loni|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|rozpočet|deadline|spěchá|barvy|fotobank\\p{L}*|návrh\\p{L}* (?:pošlete|prosím)',
  directiveStart:
    '(?:prosím,?\\s+)?(?:ne\\p{L}{2,14}(?:at|it|ít|ět|out)|použijte|používejte|vyhněte|zachovejte|styl|barvy|formát|bez (?:emoji|žargonu|přehánění|vykřičníků|klišé)|chceme|chtěli|rádi bychom|něco|mluvte|pište|pošlete|ať|ne moc|ne příliš|oslovte|jak jsme|těším|doufám|spíš)',
  greeting: '(?:dobrý den|dobré ráno|ahoj|zdravíme?|milí|vážení)(?: (?!potřeb|chce)\\p{L}+){0,2}?(?:[,!.]|\\s*$)',
  signOff: '(?:děkuj\\p{L}+|díky|předem d\\p{L}+|s pozdravem|hezký den|mějte se|zdraví)',
  include:
    '(?:prosím |určitě |nezapomeňte ){0,4}(?:zmiňte|zmínit|uveďte|uvést|přidejte|přidat|zdůrazněte|zdůraznit|doplňte|napište)(?: určitě| také| prosím)?(?:,? že)?:?',
  includeTail: '(?:musí|má) (?:tam )?(?:být|zaznít|být uvedeno)(?: [^.]*)?$',
  never:
    'ne(?:zmiň|uvád|použív|použij|piš|psát|říkej|říkat|ukazuj|ukazov|slibuj|slibov|srovnáv|porovnáv|jmenuj|mluv|dávej|dávat)\\p{L}*|vyhn(?:ěte|out|i) se|vyvaruj\\p{L}* se|bez (?:ceny|cen|uvedení|zmínky|slibů|srovnání)|žádn(?:é|ou|á) (?:cen[yu]?|sliby|slevy|konkurenc\\p{L}|zmínk\\p{L}|procenta)|(?:nesmí|nemá|nechceme) (?:\\p{L}{1,14} ){0,2}?(?:zaznít|být|zmiňovat|uvádět|objevit|psát)',
  topics: {
    price: 'cen(?:a|y|u|ě|ách|ami)?|nákladů|náklady',
    discount: 'slev(?:y|ách|u|a)?|procent(?:a|ech)?',
    date: 'dat(?:um|a|u)|termín(?:y|u)?',
    competitor: 'konkuren(?:ce|ci|cí|ty|ti|tů)',
  },
  legal:
    'platí (?:do vyprodání|podmínky|jen pro|pouze)[^.]*|do vyprodání zásob|podmínky (?:akce|na)[^.]*|více (?:informací )?na [^.]*|rpsn[^.]*|reprezentativní příklad[^.]*|čtěte pečlivě[^.]*|přečtěte si[^.]*|ministerstvo financí varuje[^.]*|18\\+|prodej (?:osobám|mladším)[^.]*|zákaz účasti[^.]*|nabídka (?:platí|je)[^.]*|pijte zodpovědně|alkohol škodí[^.]*',
  event:
    '(?:(?:letní|zimní|jarní|podzimní|vánoční|velikonoční|novoroční) (?:výprodej|slevy|akce|kolekce|trhy)|výprodej|black friday|den otevřených dveří)',
  deadline: `(?:(?:jen |pouze |platí )?(?:do|před) (?:konce (?:měsíce|roku|týdne|${CS_MONTHS})|neděle|pondělí|úterý|středy|čtvrtka|pátku|soboty|zítřka|půlnoci|vánoc|\\d{1,2}\\. ?(?:${CS_MONTHS}|\\d{1,2}\\.(?: ?\\d{4})?)(?: 20\\d\\d)?)|(?:tento|o) víkend(?:u)?|(?:jen|pouze) dnes|(?:od )?\\d{1,2}\\.(?: ?(?:${CS_MONTHS}|\\d{1,2}\\.))? ?(?:–|-|do) ?\\d{1,2}\\. ?(?:${CS_MONTHS}|\\d{1,2}\\.(?: ?\\d{4})?)|(?:od |dne )?\\d{1,2}\\. (?:${CS_MONTHS})(?: 20\\d\\d)?|celé? (?:${CS_MONTHS}))`,
  offers:
    '(?:až )?\\d{1,3} ?% (?:sleva|slevy|slevu|levněji)|slev(?:a|u|y|ou) (?:až )?\\d{1,3} ?%|slev(?:a|u|y|ou) (?:až )?\\d[\\d ]* ?Kč|[-–]\\d{1,2} ?%|\\d\\+1 zdarma|(?:první|druhý|druhá) (?:měsíc|lekce|kus) (?:zdarma|za polovinu|za půlku)|(?:dvě|tři|2|3) za cenu (?:jedné|jednoho|dvou|1|2)|za (?:polovinu|polovic)|doprava zdarma',
  gains:
    'zdarma|dárek|dárkem|bez (?:poplatků|závazků|úroku|navýšení|akontace)|bonus|vrácení peněz|slev(?:a|y|u|ou)|zkušebn\\p{L}+|v ceně|záruk\\p{L}+|garanc\\p{L}+|gratis',
  code: '(?:s |použijte |se )?(?:slevovým |slevový |promo)?kód(?:em)?:? (?<code>[A-Z0-9][A-Z0-9_-]{2,19})',
  on: (offer, subject) => `${subject}: ${offer}`,
  codeLine: (code) => `Kód: ${code}`,
  actions: {
    shop: ['Koupit nyní', 'Koupit'],
    book: ['Rezervovat', 'Rezervace'],
    reserve: ['Rezervovat stůl', 'Rezervace'],
    order: ['Objednat nyní', 'Objednat'],
    join: ['Přihlásit se'],
    download: ['Stáhnout aplikaci', 'Stáhnout'],
    subscribe: ['Odebírat'],
    try: ['Vyzkoušet zdarma', 'Vyzkoušet'],
    quote: ['Chci nabídku', 'Nabídka'],
    donate: ['Přispět nyní', 'Přispět'],
    drive: ['Testovací jízda'],
    apply: ['Chci se ucházet', 'Ucházet se'],
    visit: ['Naplánovat návštěvu', 'Navštívit'],
    watch: ['Sledovat nyní', 'Sledovat'],
    learn: ['Zjistit více', 'Více'],
  },
  signs: {
    drive: 'testovac\\p{L}+ jízd\\p{L}+|zkušební jízd\\p{L}+',
    donate: 'přisp\\p{L}+|sbírk\\p{L}+|darujte',
    apply: 'hledáme|volná místa|práce|nabídka práce|přijmeme',
    quote: 'pojištění|hypoték\\p{L}+|úvěr\\p{L}*|půjčk\\p{L}+',
    reserve: 'restaurac\\p{L}+|rezervace stolu',
    book: 'rezerv\\p{L}+|hotel\\p{L}*|letenk\\p{L}+|dovolen\\p{L}+|zájezd\\p{L}*|ubytování|pobyt\\p{L}*|wellness',
    subscribe: 'newsletter|odběr',
    join: 'přihl\\p{L}+|kurz\\p{L}*|webinář\\p{L}*|workshop\\p{L}*',
    try: 'zkušební (?:doba|verze)|software|vyzkouš\\p{L}+|na zkoušku',
    download: 'aplikac\\p{L}+|stáh\\p{L}+',
    order: 'pizz\\p{L}+|jídl\\p{L}+|rozvoz|káv[auy]|objedn\\p{L}+',
    watch: 'trailer|seriál|film',
    visit: 'výstav\\p{L}+|muzeum|otevření|návštěv\\p{L}+',
    shop: 'slev\\p{L}+|výprodej|e-?shop\\p{L}*|bot[yu]?|kolekc\\p{L}+|koupit|nákup\\p{L}*',
  },
  sponsored: 'Reklama',
};
