import type { LanguageWords } from '../table.js';
import { POLISH_GENITIVE, RUSSIAN_GENITIVE } from './endings.js';

const AD = '(?:reklam\\p{L}*|baner\\p{L}*|kampani\\p{L}*|plakat\\p{L}*|kreacj\\p{L}*|post\\p{L}{0,3}|spot\\p{L}{0,3})';
const MONTHS = 'stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia';

/** The words of Polish. */
export const POLISH: LanguageWords = {
  language: 'pl',
  isSpaced: true,
  common: 'i|w|na|z|do|dla|nie|się|jest|nasz\\p{L}*|oraz|że|to|od|po',
  months: MONTHS,
  genitive: POLISH_GENITIVE,
  orders: [
    `(?:(?:proszę|prosimy|potrzebujemy|chcemy|chcielibyśmy|czy możecie|możecie|nam|o)\\s+)*(?:(?:stwórz|stworzyć|przygotuj\\p{L}*|przygotować|zrób\\p{L}*|zaprojektuj\\p{L}*|napisz\\p{L}*|stworzenie|przygotowanie)\\s+)?[^.!?\\n]{0,50}?(?<!\\p{L})${AD}\\s*(?:(?:dla|na temat|z okazji)\\s+(?<genitive>.*)|(?:promując\\p{L}*|o|na|reklamując\\p{L}*|:)\\s+(?<subject>.*))$`,
    `(?:(?:proszę|prosimy|potrzebujemy|chcemy|stwórz|przygotuj|zrób|zaprojektuj)\\s+)(?:o\\s+)?${AD}\\s+(?<genitive>.*)$`,
    '(?:promuj\\p{L}*|reklamuj\\p{L}*|wprowadzamy|uruchamiamy|otwieramy)\\s+(?<subject>.*)$',
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
    mustNot: 'nie (?:używać|wspominać|pisać|mówić)|unikać|zakazane(?: słowa)?|czego unikać',
    headline: 'nagłówek|tytuł|hasło|headline',
    body: 'tekst|opis|podtytuł|body',
    action: 'wezwanie do działania|cta|przycisk|call[- ]to[- ]action',
    product: 'produkt|usługa|wydarzenie|temat',
    brand: 'marka|klient',
    offer: 'oferta|promocja|rabat|komunikat|korzyści|zalety|przekaz',
    audience: 'grupa docelowa|odbiorcy|target',
    tone: 'ton|styl|klimat|kolory|zdjęcia|grafika',
    must: 'obowiązkowo|koniecznie|musi zawierać|zawrzeć',
    legal: 'nota prawna|informacja prawna|zastrzeżenie|regulamin|disclaimer',
    language: 'język',
    code: 'kod(?: rabatowy)?',
    deadline: 'termin(?: promocji)?|ważne do|okres|data|daty',
    context: 'kampania|cel|budżet|termin oddania|formaty?|rozmiary?|kanały|kontakt|tło|brief|projekt',
  },
  directive:
    '(?:nasi |nasze )?(?:klienci|odbiorcy|klientki) to|grupa docelowa|ton|powinn\\p{L}+ (?:\\p{L}+ ){0,3}(?:być|wyglądać|brzmieć|budzić)|ma być|wykrzyknik\\p{L}*|cta|przycisk|w załączniku|klient|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|budżet|kolorystyk\\p{L}+',
  directiveStart:
    '(?:użyj\\p{L}*|proszę|unikaj\\p{L}*|zachowaj\\p{L}*|styl|kolory|bez (?:emoji|żargonu|przesady)|chcemy|zależy nam|coś|mów\\p{L}*)',
  greeting: '(?:cześć|dzień dobry|hej|witam|witajcie|szanowni państwo)(?: \\p{L}+)?[,!.]?',
  signOff: '(?:pozdrawiam\\p{L}*|dziękuj\\p{L}+|dzięki|z góry dziękuję|z poważaniem)',
  include: '(?:koniecznie )?(?:wspomnij\\p{L}*|dodaj\\p{L}*|podkreśl\\p{L}*|zaznacz\\p{L}*|napisz\\p{L}*)(?: o| że)?:?',
  never:
    'nie wolno|zakaz\\p{L}*|nie (?:wspomina\\p{L}*|używa\\p{L}*|podawa\\p{L}*|podaj\\p{L}*|pis[zać]\\p{L}*|pokazuj\\p{L}*|mów\\p{L}*|obiecuj\\p{L}*|porównuj\\p{L}*)|unikaj\\p{L}*|bez (?:podawania|wspominania|cen|ceny)',
  topics: {
    price: 'cen\\p{L}{1,3}|koszt\\p{L}*',
    discount: 'rabat(?:ów|ach)',
    date: 'dat\\p{L}?',
    competitor: 'konkurencj\\p{L}+',
  },
  legal:
    'regulamin[^.]*|szczegóły (?:w|na)[^.]*|do wyczerpania zapasów|to jest lek[^.]*|przed użyciem[^.]*|rrso[^.]*|alkohol szkodzi[^.]*',
  event: '(?:(?:letnia|zimowa|wiosenna|jesienna|świąteczna) (?:wyprzedaż|promocja)|wyprzedaż|black friday)',
  deadline: `(?:(?:tylko |ważne )?(?:do|przed) (?:końca (?:miesiąca|roku|tygodnia|${MONTHS})|niedzieli|poniedziałku|wtorku|środy|czwartku|piątku|soboty|jutra|północy|\\d{1,2}(?:\\.\\d{1,2}(?:\\.\\d{2,4})?| (?:${MONTHS})))|w ten weekend|tylko dziś|od \\d{1,2}(?: (?:${MONTHS}))? do \\d{1,2} (?:${MONTHS}))`,
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
  common: 'и|в|на|с|для|не|что|по|наш\\p{L}*',
  months: RU_MONTHS,
  genitive: RUSSIAN_GENITIVE,
  orders: [
    `(?:(?:пожалуйста,?|нам|мы|нужно|нужен|нужна|нужны|хотим|хотели бы|просим|можете|необходим\\p{L}*)\\s+)*(?:(?:создай\\p{L}*|создать|сделай\\p{L}*|сделать|подготовь\\p{L}*|подготовить|разработай\\p{L}*|разработать|напиши\\p{L}*)\\s+)?[^.!?\\n]{0,40}?(?<!\\p{L})${RU_AD}(?:\\s+${RU_AD})?\\s*(?:для\\s+(?<genitive>.*)|(?:о|об|про|на тему|с|:)\\s+(?<subject>.*))$`,
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
    mustNot: 'не (?:использовать|упоминать|писать|говорить)|избегать|запрещено|стоп-слова',
    headline: 'заголовок|слоган',
    body: 'текст|описание|подзаголовок',
    action: 'призыв к действию|cta|кнопк[аиу]|текст кнопки',
    product: 'продукт|товар|услуга|мероприятие|тема',
    brand: 'бренд|клиент',
    offer: 'предложение|акция|скидка|оффер|преимущества|ключевое сообщение|выгоды',
    audience: 'аудитория|целевая аудитория|ца',
    tone: 'тон|стиль|настроение|цвета|изображения|дизайн',
    must: 'обязательно|должно быть|указать|включить',
    legal: 'внизу|сноска|мелким шрифтом|юридическая (?:строка|информация)|дисклеймер|условия|правовая информация',
    language: 'язык',
    code: 'промокод|код',
    deadline: 'срок(?: акции)?|сроки|период|дата|даты|действует до',
    context: 'кампания|цель|бюджет|дедлайн|форматы?|размеры?|каналы|контакт|бриф|проект|контекст',
  },
  directive:
    'аудитория|тон(?:альность)?|долж(?:ен|на|но|ны) (?:\\p{L}+ ){0,2}(?:быть|выглядеть|звучать|вызывать)|восклицательн\\p{L}+|призыв к действию|кнопк\\p{L}+|заказчик|клиент|во вложении|\\d{2,4}\\s?[x×х]\\s?\\d{2,4}|бюджет|баннер|стил\\p{L}+',
  directiveStart:
    '(?:используй\\p{L}*|пожалуйста|избегай\\p{L}*|без (?:эмодзи|жаргона|пафоса)|хотим|хотелось|что-то|сделайте|говорите|пишите)',
  greeting: '(?:привет|здравствуйте|добрый день|доброе утро|коллеги|уважаемые коллеги)[,!.]?',
  signOff: '(?:спасибо|с уважением|заранее благодар\\p{L}+|благодарю)',
  include:
    '(?:обязательно )?(?:упомяни\\p{L}*|укажи\\p{L}*|добавь\\p{L}*|подчеркни\\p{L}*|напиши\\p{L}*)(?: что|,? что)?:?',
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
  deadline: `(?:(?:только )?(?:до|по) (?:конца (?:месяца|года|недели|${RU_MONTHS})|воскресенья|понедельника|вторника|среды|четверга|пятницы|субботы|завтра|полуночи|\\d{1,2}(?:\\.\\d{1,2}(?:\\.\\d{2,4})?| (?:${RU_MONTHS})))|в эти выходные|только сегодня|с \\d{1,2}(?: (?:${RU_MONTHS}))? по \\d{1,2} (?:${RU_MONTHS}))`,
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
