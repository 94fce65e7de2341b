import type { LanguageWords } from '../table.js';

const AD =
  '(?:ads?|adverts?|advertisements?|banners?|creatives?|campaigns?|leaderboards?|billboards?|posters?|images?|posts?|spots?|commercials?|rectangles?|mpus?|skyscrapers?|displays?|units?|copy|artwork|visuals?|headlines?|cards?|something)';
const SIZED =
  '(?:\\s+(?:sets?|campaigns?|creatives?|banners?|ads?|units?|copy|variants?|versions?|sizes?|\\(?\\d+\\s?[x×]\\s?\\d+\\)?)|\\s*(?:,|and|&|\\+)\\s+(?:an? )?(?:\\d{2,4}\\s?[x×]\\s?\\d{2,4}|mpus?|leaderboards?|banners?|skyscrapers?|billboards?))*';
const LINK =
  '(?:\\s*,?\\s*(?:for|in support of|promoting|about|on|featuring|announcing|advertising|introducing|highlighting|supporting|around|that (?:promotes?|announces?|says|advertises?|introduces?|supports?)|(?:that drives?|to drive|driving|to get|to increase) [\\w-]+(?: [\\w-]+)? (?:for|to|of)|to (?:promote|advertise|announce|support|launch|introduce)|which promotes|with|showing|saying|:))';
const PLEASE =
  "(?:(?:hi|hello|hey)(?: [\\w]+)?[,!]?\\s+)?(?:(?:so|now|ok|okay|please|(?:can|could) (?:you|u|we|i)|would you|we would (?:really )?(?:like|love)(?: for)? you to|i would like you to|i want you to|i'd like you to|let's|we'd (?:really )?(?:like|love)|i'd (?:like|love)|we would (?:really )?(?:like|love)|we're looking (?:for|to)|we are looking (?:for|to)|help us|i|we|to|kindly|just|also)\\s+)*";
const VERB =
  "(?:what (?:we|i)(?:['’]d| would)?(?: really)? (?:need|want|like|are after)(?: [^.!?\\n]{0,30}?)? (?:is|are)|create|make|build|generate|design|develop|produce|write|draft|prepare|give|need|want|do|run|put together|launch|get|have|come up with|looking for|mock up|brief)";

/** The words of English. */
export const ENGLISH: LanguageWords = {
  language: 'en',
  isSpaced: true,
  hasListedBans: true,
  isJoinedByWord: true,
  common:
    'the|our|for|and|with|of|to|your|a|an|is|are|on|at|by|i|be|you|we|it|this|from|that|in|off|until|new|now|need|want|please',
  months:
    'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?',
  orders: [
    `${PLEASE}${VERB}\\s+[^.!?\\n]{0,80}?(?<![\\p{L}-])${AD}(?![\\p{L}-])${SIZED}(?:${LINK}\\s+(?<subject>.*)|(?<rest>.*))$`,
    `(?:an?\\s+)?[^.!?,\\n]{0,40}(?<!\\p{L})(?:ads?|banners?|spots?|creatives?|campaigns?|posters?)${SIZED}\\s+(?:for|about|promoting|announcing|advertising)\\s+(?<subject>.*)$`,
    `(?:an?\\s+)?(?:[\\w-]+\\s){0,4}?(?:ads?|banners?|creatives?|posters?|spots?)${SIZED}(?:\\s+(?:pls|please|needed|required|wanted))?\\s*[:–—]\\s*(?<subject>.*)$`,
    `(?:this|the|it)(?: [\\w-]+)? (?:is|will be)(?: an?)?(?: [\\w-]+)? (?:${AD}\\s+)?(?:for|about|promoting)\\s+(?<subject>.*)$`,
    `(?:we're|we are|we will be|we'll be|i'm|i am) (?:launching|promoting|advertising|introducing|opening|pushing|announcing|selling|running)\\s+(?<subject>.*)$`,
    '(?:we )?(?:want|need) more (?<subject>.*)$',
    '(?:we|they) (?:sell|make|build|do|run|rent out|offer)\\s+(?<subject>.*)$',
    '(?:re)?launching\\s+(?<subject>.*)$',
    "(?:they|we)(?:['’]ve| have) (?:got )?(?:an? )?(?<subject>.*)$",
    `${PLEASE}(?:(?:want|need|would like) to )?(?:promote|advertise|announce|push|introduce|showcase|market|highlight)\\s+(?<subject>.*)$`,
    `(?:an? )?(?:political|display|digital|social(?: media)?|native|b2b|recruitment|banner|charity|app)(?: [\\w-]+)? (?:ads?|campaigns?|briefs?|banners?)(?: brief)?$`,
    `(?:[\\w-]+\\s){0,3}?${AD}(?:\\s+(?:copy|set|creative))? (?:needed|required|wanted)(?: by [\\w ]{2,20}?)?(?: for (?<subject>.*)|(?<rest>.*))$`,
    `${PLEASE}(?:adapt|resize|convert|crop|reformat|rework|transform|turn)\\s+(?<rest>.*)$`,
  ],
  promote:
    '(?:please\\s+)?(?:to\\s+)?(?:promote|promoting|advertise|advertising|announce|highlight|feature|showcase|introduce|introducing|push|pushing|market|launch|launching|(?:the )?(?:launch|release|opening|promotion) of|drive [\\w-]+ (?:for|of|to)|raise awareness (?:of|for)|sell|a campaign for)',
  presents:
    '(?:now |also )?(?:offers?|sells?|provides?|makes?|builds?|rents(?: out)?|brings you|(?:is|are) (?:adding|bringing|running|giving|launching|opening|introducing|offering|hiring|recruiting|looking for|selling)|launches|introduces|presents|hires|seeks|(?:has|have)(?: got)?(?: an?| the)?)',
  determiner: "(?:our|the|my|a|an|their|this|its|these|client's|brand)\\s+",
  newness: '(?:brand[- ]new|all[- ]new|newly launched|new)\\s+(?:(?:line|range) of\\s+)?',
  newWord: 'New',
  audience:
    'aimed at|targeting|targeted (?:at|to|towards)|target|geared (?:to|towards)|speaking to|for (?:people|those|anyone|customers|users|women|men|parents|families|students|adults|professionals|owners|young|busy|the over|millennials|gen z|first[- ]time|small business)|to (?:weekend|young|busy|new|existing|people|parents|families|women|men|students|millennials|gen)|aged \\d|(?:mostly |mainly |primarily )?(?:women|men|adults|people|parents|couples|shoppers|homeowners) (?:aged )?\\d\\d',
  detail: 'with|featuring|that|which|because|so that|in three sizes|in (?:these|the following) sizes|who|where',
  joints:
    'on|off|of|for|at|with|and|in|running|available|get|save|now|discounts?|offering|to|from|an?|up to|by|is|are|saving|our|use|using|valid|plus|the|offer|sale|deal|again',
  labels: {
    mustNot:
      "not allowed|steer clear of|must[- ]nots?(?: include)?|do not (?:say|use|include|mention|show)|don[’']?t (?:say|use|include|mention|show)|donts?|don['’]ts|don['’]t|avoid|exclusions?|please avoid|no[- ]gos?|things to avoid|banned words|not to (?:say|mention)|words to avoid|never say|mandatory exclusions",
    headline: 'heading|hook|tagline|headlines?|title|head|h1|main line',
    body: 'body(?: copy)?|sub[- ]?head(?:line|er)?s?|subline|support(?:ing)? copy|description|strapline',
    action: 'call[- ]to[- ]action|cta|btn|button(?: text| copy)?',
    product:
      "products?|service|what(?: we(?:[’']re| are))? (?:sell|selling|advertis)\\w*|what is advertised|promoting|subject|item|event|what|product name",
    brand: 'brand|client|advertiser|company',
    offer:
      'offers?|deal|promo(?:tion)?|discount|incentive|usps?|key (?:messages?|points?|benefits?|facts?)|message|benefits?|proposition|selling points?|reasons? to believe|rtbs?|features|proof points?',
    audience: 'target(?: audience| group| market)?|audience|who(?: is it for)?|demographics?|for whom|personas?',
    tone: 'tone(?: of voice)?|style|mood|vibe|look(?: (?:and|&) feel)?|feel|voice|personality|visuals?|imagery|images?|art direction|design|colou?rs?|palette|typography|logo',
    must: "must[- ]haves?|must include|mandator(?:y|ies)|include|please include|needs? to include|needs to say|must (?:say|mention)|has to be in|do[’']?s|required copy|mandatory copy|copy points?",
    legal:
      'footnotes?|legal(?: line| copy| text| disclaimer)?|line (?:that |which )?(?:must|has to|needs to) (?:be|go|appear)(?: \\w+){0,2}|disclaimers?|disclosures?|small print|fine print|t&cs?|terms(?: (?:and|&) conditions)?|regulatory',
    language: 'language|market language|copy language',
    code: 'code|promo code|voucher(?: code)?|discount code',
    deadline:
      'valid(?:ity)?(?: until)?|offer ends|ends|deadline for customers|promo dates?|dates?|when|offer period|valid from',
    note: 'notes?',
    context:
      'dimensions|campaign(?: name)?|objectives?|goals?|kpis?|background|context|budget|timings?|deadline|deliverables?|sizes?|formats?|specs?|channels?|placements?|contact|from|to|subject line|re|sent|cc|notes?|project|brief|job(?: no\\.?| number)?|market|landing page|url|link|competitors?|insight|task|requirements?|summary|due|approval|media|platform|overview|why',
  },
  directive:
    'tone of voice|sorry|this one.?s? (?:is )?(?:a|an|for)|(?:for|in|of) this (?:campaign|brief|one)|should (?:feel|look|be|sound|have|come across|not|say|only|read)|needs to (?:feel|look|be|sound)|must (?:feel|look|be|sound)|look and feel|target (?:audience|group|market)|our audience|the audience|call[- ]to[- ]action|cta|brand guidelines?|brand colou?rs?|stock (?:photos?|images?)|exclamation marks?|pushy|jargon|clich[eé]s?|slang|hype|puns?|word count|(?:max(?:imum)?|at most|up to|no more than|under) \\d+ (?:words|characters|chars)|landscape format|on[- ]brand|the (?:ad|ads|banner|banners|copy|tone|style|image|design|look|headline|button|logo|creative|creatives|client|brief)|previous campaign|last campaign|last year|the attached|attached|let me know|get back to|first drafts?|drafts?|by eod|deadline|budget|kpis?|impressions|see below|asap|this is urgent|file size|animation|animated|pixels|px|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|legal team|compliance team|sign[- ]off|reassuring|guilt[- ]tripping|tone please|for people who|who we (?:want|are|need)|we (?:want|need) to reach|are our (?:target|audience|customers|readers|main)|we talk to|speaks? to|aimed at|deliverables|same as last time|brief',
  directiveStart:
    "(?:please\\s+|pls\\s+|and\\s+|also,?\\s+|oh,? and\\s+|maybe\\s+)*(?:use|using|keep|make|avoid|target|goal|objective|tone|style|format|sizes?|ensure|drive|adapt|resize|convert|crop|reformat|optimi[sz]e|shorten|transform|render|focus|emphasi[sz]e|put|show|change|replace|it should|it has to|(?:the )?(?:vibe|mood|feel|idea|audience|target) (?:is|should)|should|colou?rs?|with a|the (?:ad|banner|tone|style|image|design|look|headline|button)|think|imagine|write|speak to|aim for|go for|give it|bear in mind|remember|note that|nothing|something|not too|(?:voice|tone|mood|vibe|look|feel|style) is|it['’]s for|this is for|we(?:['’]re| are) (?:talking|speaking) to|(?:do not|don['’]t) (?!miss|wait|forget|worry|settle|let|delay|pay|just)\\p{L}+|(?:linkedin|facebook|instagram|tiktok|display|ctv|dooh|social|programmatic)(?:\\s?[+,&/]\\s?| and )|(?:icp|[\\w-]+ button (?:please|pls)|headline to be)|emojis? (?:are )?(?:ok|okay|fine|welcome|allowed)|no (?:emojis?|exclamation|jargon|stock|puns?|slang|hype|prices?|need to)|we never|we (?:want|need|would like|['’]d like|don['’]t want|hope|think|believe|usually|tried|had|also need|prefer)|i (?:think|want|need|hope|would|believe|['’]d)|let['’]s|we(?:['’]re| are) an?|audience(?! (?:research|insights?|data|measurement|platform))|(?:our|their|its|the) (?:customers|clients|audience|buyers|readers|users|brand|people) (?:are|is)|(?:the |our )?client(?: is|:)|they (?:sell|run)|they (?:want|care|are(?! (?:all |both |fully |hand[- ]?|\\p{L}+ly )*(?:made|built|crafted|designed|tested|grown|baked|roasted|brewed|sewn|woven|cut|certified|recycled|organic|vegan|waterproof|washable|light|soft|sturdy|durable|foldable|delicious|back|here)(?!\\p{L})))|people (?:who|are)|attached|call me|happy to|can you|could you|feel free|refer to|mention|match|follow|send|deliver|highlight|stress|hope you|hope this|as discussed|as per|following|fyi|ideally|per our|quick (?:one|brief))",
  greeting:
    '(?:hi|hello|hey|dear|good (?:morning|afternoon)|morning)(?: (?:team|all|there|everyone|folks|both|guys|[A-Z][a-z]+))?(?:[,!.–-]|\\s*$)',
  signOff:
    '(?:many thanks|thx|ta|xx+|thanks|thank you|cheers|best(?: regards| wishes)?|kind regards|warm regards|regards|all the best|yours|sincerely|talk soon|speak soon|sent from)',
  include:
    "(?:please |also,? |and |do |we (?:also )?(?:need|have|want) to |it (?:has|needs) to |must |be sure to |make sure (?:to|you|we|that)\\s?|don['’]t forget to |remember to |you (?:can|should|must) )*(?:mention|include|say|state|highlight|stress|call out|point out|emphasi[sz]e|communicate|work in|add|lead with|the ad (?:must|should) (?:say|mention|include)|it (?:must|should) (?:say|mention))(?: that| the fact that| clearly that)?(?::)?",
  includeTail:
    '(?:must|has to|have to|needs? to|should) (?:appear|be (?:included|mentioned|shown|visible|stated))(?: [^.]*)?$',
  never:
    "(?:(?:do not|don['’]t|never|must not|mustn['’]t|should not|shouldn['’]t|can ?not|can['’]t|without|not to|refrain from)(?: (?:ever|want to|wish to|want))? (?:mention(?:ing)?|us(?:e|ing)|say(?:ing)?|includ(?:e|ing)|talk(?:ing)? about|referr?(?:ing)?(?: to)?|show(?:ing)?|put(?:ting)?|writ(?:e|ing)|nam(?:e|ing)|stat(?:e|ing)|promis(?:e|ing)|claim(?:ing)?|add(?:ing)?|compare|mak(?:e|ing)|imply|reveal|quote|advertise|be|sound|feel|look|overuse|go|get|call)|(?:avoid|stay away from|steer clear of|leave out|leave (?:the |any )?[\\p{L}-]+(?: [\\p{L}-]+)? out|no mention of|omit)|nothing (?:about|that (?:suggests|implies|says))|no (?:mention|claims?|promises?|attacks?|references? to|prices?|pricing|emojis?|exclamation|jargon|stock|puns?|slang|hype|superlatives|clich[eé]s?|discounts?(?! codes?)|references?|guilt|scare|competitors?))",
  topics: {
    price:
      "(?<!(?:gas|fuel|energy|oil|electricity|house|property|rival|market|competitors?[’']?) )(?:prices?|costs?)|pricing|price points?|how much",
    discount: 'discounts?|percentages?|the offer|promotions?|(?<!(?:energy|fuel|water|time) )savings',
    date: 'dates?|deadline|end date',
    competitor: 'competitors?|competition|rivals?|other brands',
  },
  legal:
    't&cs? apply|terms(?: (?:and|&) conditions)?[^.]{0,40} apply|terms apply|subject to (?:status|availability|approval|terms|survey|contract|credit|conditions|eligibility|change)|\\p{L}+ (?:criteria|eligibility|conditions|restrictions|limits?) appl(?:y|ies)|capital (?:is )?at risk|paid for by [^.]{2,60}|(?:deposits? )?(?:are |is )?protected by the fscs|drink responsibly|gamble responsibly|18\\+|over 18s? only|registered charity|charity (?:no|number|reg)|representative (?:\\d|apr)|apr (?:variable|representative)|member fdic|while (?:stocks?|supplies) lasts?|authori[sz]ed and regulated|results may vary|please read the (?:label|leaflet)|void where prohibited|no purchase necessary|excludes? [^.]{1,60}|exclusions apply|see (?:website|store|site) for (?:details|terms)|consult your (?:doctor|physician|pharmacist)|always read the label|be ?gamble ?aware',
  event:
    "(?:(?:big|annual|mid-season|end[- ]of[- ]season|early) )?(?:(?:summer|winter|spring|autumn|fall|holiday|christmas|easter|halloween|weekend|flash|clearance|anniversary|diwali|eid|ramadan|lunar new year|new year(?:'s)?|valentine'?s(?: day)?|mother'?s day|father'?s day|black friday|cyber monday|back[- ]to[- ]school|season|midnight|birthday|bank holiday) (?:clearance )?(?:sale|deals?|specials?|offers?|collection|event|savings|promotion|menu)|black friday|cyber monday|back[- ]to[- ]school|grand opening)",
  deadline:
    '(?:now |only |valid |ends? |ending |offer (?:ends|valid) |runs? )?(?:(?:until|till|through|before|by|ends?|ending|only|valid to|up to and including) (?:the )?(?:(?:this|next|end of(?: the)?) )?(?:midnight|tonight|today|tomorrow|weekend|week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: night| midnight| evening| \\d{1,2}(?:st|nd|rd|th)?)?(?:,? \\d{1,2}(?:st|nd|rd|th)? \\w+)?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?(?: \\d{1,2}(?:st|nd|rd|th)?(?!\\d))?|\\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|\\d{1,2}[/.]\\d{1,2}(?:[/.]\\d{2,4})?|christmas|easter)(?: only| 20\\d\\d)?|this (?:weekend|week|month)(?: only)?|today(?: only)?|from \\d{1,2}(?:st|nd|rd|th)?(?: \\w+)? (?:to|until) \\d{1,2}(?:st|nd|rd|th)? \\w+|\\d{1,2}(?:st|nd|rd|th)?(?: (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)? ?[–-] ?\\d{1,2}(?:st|nd|rd|th)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|(?:on |from |starting )?(?:\\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:january|february|march|april|may|june|july|august|september|october|november|december) \\d{1,2}(?:st|nd|rd|th)?(?!\\d)))',
  offers:
    'buy \\w+(?:,| and)? save \\d{1,2} ?%|buy (?:one|two|three|1|2|3),? get (?:one|two|1|2)(?: more)?(?: (?:free|half price))?|bogof?|(?:2|3|two|three) for (?:the price of )?(?:1|2|one|two|[$€£]\\d+)|half price|kids (?:eat|go|stay|ski) free',
  gains:
    '(?<!-|(?:dairy|sugar|gluten|lactose|fat|alcohol|cruelty|plastic|carbon|nut|stress|hassle|risk|ad|hands) )free|\\d(?:\\.\\d+)?% (?:aer|apy|gross|interest)|complimentary|cash ?back|no (?:annual |monthly |joining |booking |hidden |setup )?fees?|bonus|gift|voucher|included|interest[- ]free|0%|no (?:credit card|deposit|contract|commitment)|trial|guarantee|refund|on us|saves?|discount|off',
  sale: {
    saving:
      '(?:save|saving|savings of|discounts? of|reduced by|reductions? of|minus) +(?:up to +)?(?:an? )?(?:extra )?',
    onSale: 'discounts?|sale|reduction|reduced|deals?',
    reduces: 'on|all|everything|discounts?|sale|savings|reductions?|until|till|this|today',
    off: 'off|discount',
    upTo: 'up to',
    percentOff: (percent, upTo) => `${upTo ? 'Up to ' : ''}${percent}% off`,
    amountOff: (amount, upTo) => `${upTo ? 'Up to ' : ''}${amount} off`,
  },
  code: '(?:with|using|use|enter|apply|when you use)?(?: the)? ?(?:promo |discount |voucher |coupon )?code:? (?<code>[A-Z0-9][A-Z0-9_-]{2,19})(?: at checkout)?',
  address: (text) =>
    text
      .replace(
        /\b(if|when|whenever|once) (?:they|(?:new |our )?(?:customers|people|users|clients|members|guests))(?= \p{L})/giu,
        '$1 you',
      )
      .replace(
        /(?<=\b(?:on|off|with|for|of) )their (?=first|next|\p{L}+ (?:order|purchase|booking|visit|bill)|order|purchase|booking|visit|bill)/giu,
        'your ',
      ),
  on: (offer, subject) => `${offer} ${subject}`,
  codeLine: (code) => `Code: ${code}`,
  actions: {
    shop: ['Shop now', 'Shop'],
    book: ['Book now', 'Book'],
    reserve: ['Reserve a table', 'Reserve'],
    order: ['Order now', 'Order'],
    join: ['Sign up', 'Join'],
    download: ['Get the app', 'Get app'],
    subscribe: ['Subscribe', 'Join'],
    try: ['Try it free', 'Try it'],
    quote: ['Get a quote', 'Quote'],
    donate: ['Donate now', 'Donate'],
    drive: ['Book a test drive', 'Test drive'],
    apply: ['Apply now', 'Apply'],
    visit: ['Plan your visit', 'Visit'],
    watch: ['Watch now', 'Watch'],
    learn: ['Learn more', 'More'],
  },
  signs: {
    drive: 'test[- ]?drives?',
    donate: 'donat\\w*|charity|appeal',
    apply:
      '(?<!(?:t&cs?|terms|conditions|exclusions|restrictions|criteria) )apply|hiring|careers?|jobs?|vacanc\\w+|recruit\\w*|admissions?',
    quote: 'quotes?|insuranc\\w+|mortgages?|loans?',
    reserve: 'reserve a table|table bookings?|restaurant',
    book: 'book(?:ing)?s?|reserv\\w*|hotels?|flights?|holidays?(?: rentals?)?|appointments?|spa|tours?|cruises?|city breaks?|getaways?|stays?',
    subscribe: 'newsletters?|subscri\\w+',
    join: 'sign[- ]?ups?|register|webinars?|conferences?|event tickets|memberships?|join|enrol\\w*|courses?|class(?:es)?',
    try: 'free trial|trial|demos?|saas|software|platform',
    download: 'downloads?|install(?!ation)\\w*|mobile app|the app|our app|new app|app',
    order: 'pizzas?|food|meals?|delivery|menu|coffee|burgers?|lunch|dinner',
    watch: 'trailer|stream\\w*|episodes?|movie|film|series|watch (?:it|now|the)',
    visit: 'open day|showroom|grand opening|museum|exhibition|near you|visit\\w*|tickets',
    shop: 'sale|shop\\w*|buy|store|deals?|discounts?|collection|off|save|gear|shoes|boots|clothing|prices?|free shipping|mattress|jackets?|skincare',
  },
  sponsored: 'Sponsored',
};
