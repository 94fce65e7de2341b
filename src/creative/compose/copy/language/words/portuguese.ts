import type { LanguageWords } from '../table.js';

const AD =
  '(?:anúncios?|banners?|publicidade|criativos?|campanhas?|cartaz(?:es)?|peças?|posts?|spots?|artes?|textos?|criações)';
const MONTHS = 'janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro';
const PLEASE =
  '(?:(?:por favor,?|precisamos de|preciso de|queremos|quero|gostaríamos de|gostaria de|vocês podem|podem|pode|poderiam|você pode|ter|criar)\\s+)*';

/** The words of Portuguese. */
export const PORTUGUESE: LanguageWords = {
  language: 'pt',
  isSpaced: true,
  hasListedBans: true,
  common:
    'o|os|as|para|com|nossas?|nossos?|um|uma|do|da|dos|das|por|até|seus?|e|em|que|de|não|no|na|ao|são|você|à|olá|precisamos|botão|sem|obrigad[oa]|mês',
  months: MONTHS,
  orders: [
    `${PLEASE}(?:(?:cri|ger|faç|fa[zç]|desenh|prepar|desenvolv|elabor|escrev|mont|produz)\\p{L}*\\s+)?[^.!?\\n]{0,70}?(?<!\\p{L})${AD}(?!\\p{L})(?:\\s+(?:b2b|b2c|online|display|digita(?:l|is)|publicitári[oa]s?))?(?:\\s*\\(?\\d+\\s?[x×]\\s?\\d+\\)?)?\\s*(?:para|pr[ao]s?|sobre|com|d[eoa]s?|divulgando|anunciando|promovendo|que (?:divulgue|anuncie|promova)|:)\\s+(?<subject>.*)$`,
    `${PLEASE}[^.!?\\n]{0,40}?(?:promov\\p{L}*|anunci(?:e|ar)|divulg\\p{L}*|apresent(?:e|ar)|lanç(?:ar|amos))\\s+(?<subject>.*)$`,
    '(?:lançamento|promoção|abertura|inauguração) d[eoa]s?\\s+(?<subject>.*)$',
    '(?:estamos (?:lançando|a lançar|abrindo)|vamos lançar|abrimos|inauguramos)\\s+(?<subject>.*)$',
    `${PLEASE}(?:cri|ger|faç|desenh|prepar|desenvolv)\\p{L}*\\s+[^.!?\\n]{0,60}(?<!\\p{L})${AD}(?<rest>.*)$`,
  ],
  promote:
    '(?:(?:para )?(?:promover|anunciar|apresentar|divulgar|lançar)|(?:o )?lançamento d[eoa]s?|(?:a )?(?:abertura|inauguração|promoção) d[eoa]s?)',
  presents: '(?:oferece|vende|aluga|fabrica|procura|busca|lança|abre|apresenta|contrata)',
  determiner: '(?:noss[oa]s?|os?|as?|um|uma|meu|minha|tod[oa]s|seu|sua)\\s+',
  newness: 'nov[oa]s?\\s+',
  newWord: 'Novo',
  audience:
    'para (?:jovens|famílias|mulheres|homens|pais|mães|estudantes|pessoas|quem|profissionais)|dirigid[oa]s? a|voltad[oa]s? (?:a|para)|público|focad[oa] em',
  detail: 'com|que|porque|onde|graças|sem',
  joints: 'em|no|na|nos|nas|de|do|da|dos|das|para|com|e|a|ao|à|um|uma|o|desconto|economize|até|por|só',
  labels: {
    mustNot:
      'não pode(?=\\s?[:：])|nada de(?=\\s?[:：])|não colocar|não (?:dizer|mencionar|usar|incluir|falar)|evitar|proibid[oa]s?|o que não|restrições',
    headline: 'frase principal|título|titulo|headline|slogan|chamada(?! para)|manchete',
    body: 'texto|corpo|descrição|subtítulo|texto de apoio',
    action: 'chamada para (?:a )?ação|call[- ]to[- ]action|cta|botão',
    product: 'produtos?|serviço|o que (?:vendemos|anunciamos)|evento|tema',
    brand: 'marca|cliente|anunciante',
    offer:
      'oferta|promoção|promo|desconto|benefícios?|mensage(?:m|ns)(?: principa(?:l|is)|-chave)?|vantagens?|diferenciais|argumentos?|pontos? chave',
    audience: 'público(?:[- ]alvo)?|target|audiência|para quem|persona',
    tone: 'paleta|clima|imagem|tom(?: de voz)?|estilo|linguagem|imagens?|cores|visual|design|layout|logo(?:tipo)?',
    must: 'incluir|obrigatóri[oa]s?|deve (?:conter|incluir|aparecer)|indispensável|precisa ter|inserir',
    legal: 'asterisco|legal|texto legal|aviso legal|letras miúdas|termos|condições|disclaimer|nota legal|rodapé',
    language: 'idioma',
    code: 'código(?: promocional| de desconto)?|cupom',
    deadline: 'validade|válid[oa](?: até)?|datas?|prazo da (?:oferta|promoção)|período|vigência',
    note: 'notas?|observaç(?:ão|ões)|obs',
    context:
      'campanha|objetivos?|orçamento|verba|prazo|entrega|deadline|formatos?|tamanhos?|medidas|canais|contato|contexto|brief(?:ing)?|projeto|assunto|de|para|link|concorr\\p{L}+|meios|praça',
  },
  directive:
    '(?:deve|devem|tem que|deveria|precisa) (?:\\p{L}+ ){0,3}?(?:ser|transmitir|parecer|passar|soar|ter|convidar|evocar)|público[- ]alvo|tom |linguagem|call[- ]to[- ]action|cta|fotos? de banco|pontos? de exclamação|manual da marca|o (?:anúncio|banner|cliente|botão|texto)|a (?:peça|arte|campanha anterior)|em anexo|anex[oa]s?|ano passado|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|orçamento|urgente|primeira versão|aprovação|clichês?|gírias?|jargão',
  directiveStart:
    '(?:por favor,?\\s+|e\\s+)?(?:us[ea]\\p{L}*|utiliz\\p{L}*|mantenha|mantenham|evit\\p{L}*|tom|estilo|cores|formato|adapt\\p{L}*|redimension\\p{L}*|algo|nada de|sem (?:exagero|emojis)|quer(?:emos|o)|gostar\\p{L}*|precisamos|pensamos|acho|fal[ae]\\p{L}*|dirig\\p{L}*|lembr\\p{L}*|como (?:combinado|sempre|conversamos)|segue|qualquer dúvida|fico|aguardo|imagens?|deve)',
  greeting:
    '(?:olá|oi|bom dia|boa (?:tarde|noite)|prezad[oa]s?|car[oa]s?|e aí)(?: (?:pessoal|equipe|equipa|time|gente|a todos|todos|[A-Z]\\p{L}+))?(?:,? tudo (?:bem|bom|certo))?(?:[,!.?]|\\s*$)',
  signOff: '(?:(?:muito )?obrigad[oa]|abraços?|abs|att|atenciosamente|cumprimentos|saudações|valeu|grat[oa]|um abraço)',
  include:
    '(?:por favor,? )?(?:é (?:importante|preciso) |não esqueç\\p{L}* de |lembr\\p{L}* de |importante )?(?:mencion(?:e|ar|em)|inclu(?:a|ir|am)|destac(?:ar|amos)|destaque[m]?|ressalt(?:e|ar|em)|indique[m]?|coloque[m]?|enfatiz(?:e|ar|em)|acrescent(?:e|ar))(?: também| que)?:?',
  includeTail: '(?:tem|têm|deve|devem)(?: de| que)? (?:aparecer|constar|estar|figurar)(?: [^.]*)?$',
  never:
    'não (?:\\p{L}+ )?(?:mencion\\p{L}*|us[ea]\\p{L}*|utiliz\\p{L}*|fal[ae]\\p{L}*|inclu\\p{L}*|dig\\p{L}*|dizer|cit[ea]\\p{L}*|coloc\\p{L}*|coloqu\\p{L}*|promet\\p{L}*|mostr\\p{L}*|compar\\p{L}*|cair)|sem (?:mencionar|citar|falar|usar|incluir|dizer)|evit(?:e|ar|em)|nada de (?:preços?|clichês?|gírias|jargão|emojis|concorrentes?|promessas|exclamações)|sem (?:gírias|clichês|jargão)|nenhum (?:preço|concorrente)',
  topics: {
    price: 'preços?|valor(?:es)?|custos?|tarifas?',
    discount: 'descontos?|promoções',
    date: 'datas?',
    competitor: 'concorr\\p{L}+',
  },
  legal:
    'sujeito a [^.]*|consulte (?:as )?condições[^.]*|termos e condições[^.]*|beba com moderação|aprecie com moderação|se persistirem os sintomas[^.]*|enquanto durarem os estoques|imagens? (?:meramente )?ilustrativas?|jogue com responsabilidade|proibid[oa] (?:para|a venda a) menores[^.]*|taeg[^.]*|maiores de 18[^.]*|\\+18|este é um medicamento[^.]*|promoção válida[^.]*|os resultados podem variar[^.]*',
  event:
    '(?:liquidação(?: de (?:verão|inverno|outono|primavera))?|saldos(?: de (?:verão|inverno))?|black friday|volta às aulas|dia das? (?:mães|pais|mãe|pai|namorados)|queima de estoque|semana do consumidor|grande inauguração)',
  deadline: `(?:(?:só |válid[oa] |somente |apenas )?(?:até|antes d[eo]) (?:o |a )?(?:(?:próximo|próxima) )?(?:hoje|amanhã|meia-noite|(?:o )?(?:fim|final) d[eo] (?:mês|ano|(?:${MONTHS}))|(?:domingo|segunda|terça|quarta|quinta|sexta|sábado)(?:-feira)?(?:,? \\d{1,2}(?:/\\d{1,2}| de (?:${MONTHS})))?|dia \\d{1,2}(?: de (?:${MONTHS})|/\\d{1,2})?|\\d{1,2}(?!\\d|\\s?[%€$])(?:(?: de |/)(?:${MONTHS}|\\d{1,2}))?(?: de 20\\d\\d)?)|este fim de semana|só hoje|de \\d{1,2}(?: de (?:${MONTHS}))? a \\d{1,2} de (?:${MONTHS})|(?:com saída em|em|no dia|dia|a partir de) \\d{1,2} de (?:${MONTHS}))`,
  offers:
    '(?:até )?\\d{1,3} ?%(?: de desconto| off|\\.?)|(?:até )?(?:R\\$ ?)?\\d[\\d.,]* ?(?:€|euros|reais)? (?:de desconto|off)|[2-5] por [1-4]|leve \\d,? pague \\d|(?:em )?(?:até )?\\d{1,2}x(?: de [^,.;]{1,20})? sem juros|primeir[oa] (?:mês|aula|consulta|pedido|sessão) (?:grátis|gratuit[oa])|metade do preço',
  gains:
    'grátis|gratuit[oa]s?|brinde|sem (?:taxas?|custos?|juros|anuidade|fidelidade|compromisso|mensalidade)|cashback|bônus|bónus|desconto|inclus[oa]s?|teste|garantia|reembolso|presente|oferta de',
  sale: {
    saving: '(?:economize|poupe|descontos? de|desconto de) +(?:até +)?',
    onSale: 'descontos?|liquidação|saldos|promoção|ofertas?',
    reduces: 'em|no|na|nos|nas|de desconto|até|off',
    off: 'de desconto|off|a menos',
    upTo: 'até',
    percentOff: (percent, upTo) => `${upTo ? 'Até ' : ''}${percent}% de desconto`,
    amountOff: (amount, upTo) => `${upTo ? 'Até ' : ''}${amount} de desconto`,
  },
  code: '(?:com |usando |use )?(?:o )?(?:código|cupom|cupão)(?: promocional| de desconto)?:? [«"“]?(?<code>[A-Z0-9][A-Z0-9_-]{2,19})[»"”]?',
  on: (offer, subject) => `${subject}: ${offer}`,
  codeLine: (code) => `Código: ${code}`,
  actions: {
    shop: ['Compre agora', 'Comprar'],
    book: ['Reserve agora', 'Reservar'],
    reserve: ['Reserve uma mesa', 'Reservar'],
    order: ['Peça agora', 'Pedir'],
    join: ['Inscreva-se', 'Participar'],
    download: ['Baixe o app', 'Baixar'],
    subscribe: ['Assine agora', 'Assinar'],
    try: ['Teste grátis', 'Testar'],
    quote: ['Peça um orçamento', 'Orçamento'],
    donate: ['Doe agora', 'Doar'],
    drive: ['Agende o test drive', 'Test drive'],
    apply: ['Candidate-se', 'Candidatar'],
    visit: ['Planeje sua visita', 'Visitar'],
    watch: ['Assista agora', 'Assistir'],
    learn: ['Saiba mais', 'Ver mais'],
  },
  signs: {
    drive: 'test[- ]drive',
    donate: 'doa\\p{L}*|doe',
    apply: 'vagas?|emprego|candidat\\p{L}*|contrata\\p{L}*|trabalhe con?osco',
    quote: 'seguros?|orçamento grátis|empréstimos?|financiamento|consórcio',
    reserve: 'restaurante|mesa',
    book: 'reserv\\p{L}*|voos?|hot(?:el|éis)|viage(?:m|ns)|pacotes?|cruzeiro|pousada|consultas?|agend\\p{L}*',
    subscribe: 'assin\\p{L}*|newsletter',
    join: 'inscri\\p{L}*|inscreva\\p{L}*|cursos?|aulas?|matrícula|webinar|academia|ginásio',
    try: 'teste grátis|software|plataforma',
    download: 'baix\\p{L}*|aplicativo|app|descarregar',
    order: 'comida|pizza|delivery|entrega|hambúrguer|cardápio|pedido',
    watch: 'trailer|série|filme|temporada',
    visit: 'exposição|museu|feira|inauguração|visit\\p{L}*',
    shop: 'liquidação|saldos|descontos?|compr\\p{L}*|loja|casacos?|sapatos|tênis|coleção|frete|ofertas?',
  },
  sponsored: 'Patrocinado',
};
