import type { LanguageWords } from '../table.js';

const AD =
  '(?:anuncios?|banners?|publicidad|creatividad(?:es)?|campañas?|carteles?|piezas?|posts?|spots?|gráficas?|textos?|display)';
const MONTHS = 'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre';
const PLEASE =
  '(?:(?:por favor,?|necesitamos|necesito|queremos|quisiéramos|quiero|quisiera|nos gustaría|me gustaría|podéis|podrías?|pueden|podrían|tener|hacernos|para la campaña de \\p{L}+)\\s+)*';

/** The words of Spanish. */
export const SPANISH: LanguageWords = {
  language: 'es',
  isSpaced: true,
  hasListedBans: true,
  common:
    'el|los|las|la|para|con|nuestr[oa]s?|un|una|del|por|hasta|sus?|y|en|que|de|se|al|es|tu|más|está|no|desde|hola|necesitamos|queremos|sin|nada|botón|gracias|día|hoy',
  months: MONTHS,
  orders: [
    `${PLEASE}(?:(?:cre|gener|diseñ|hac|ha[zg]|prepar|realiz|redact|desarroll)\\p{L}*\\s+)?[^.!?\\n]{0,70}?(?<!\\p{L})${AD}(?!\\p{L})(?:\\s+(?:b2b|b2c|online|display|digital(?:es)?|publicitari[oa]s?))?(?:\\s*\\(?\\d+\\s?[x×]\\s?\\d+\\)?)?\\s*(?:para|sobre|con|de|del|que (?:anuncie|promocione|comunique)|:)\\s+(?<subject>.*)$`,
    `${PLEASE}[^.!?\\n]{0,50}?(?:promociona[r]?|promocione|anuncia[r]?|anuncie|presenta[r]?|lanza[r]?|comunica[r]?|publicitar|difundir|dar a conocer)\\s+(?<subject>.*)$`,
    '(?:lanzamiento|promoción|apertura|inauguración) (?:de|del)\\s+(?<subject>.*)$',
    '(?:lanzamos|abrimos|inauguramos|estrenamos|vamos a lanzar|estamos lanzando)\\s+(?<subject>.*)$',
    `${PLEASE}(?:crea|cree|genera|diseña|haz|prepara)\\p{L}*\\s+[^.!?\\n]{0,60}(?<!\\p{L})${AD}(?<rest>.*)$`,
  ],
  promote:
    '(?:(?:para )?(?:promocionar|promover|anunciar|presentar|lanzar|comunicar|dar a conocer)|(?:el )?lanzamiento (?:de|del)|(?:la )?(?:apertura|inauguración|promoción) (?:de|del))',
  presents: '(?:ofrece|vende|entrega|alquila|fabrica|busca|lanza|abre|presenta|contrata)',
  determiner: '(?:nuestr[oa]s?|el|los|las?|un[oa]?s?|mi|tod[oa]s|su|sus)\\s+',
  newness: 'nuev[oa]s?\\s+',
  newWord: 'Nuevo',
  audience:
    'para (?:jóvenes|familias|mujeres|hombres|padres|madres|estudiantes|personas|quienes|profesionales)|dirigid[oa]s? a|público|orientad[oa] a|enfocad[oa] en',
  detail: 'con|que|porque|gracias|donde|el cual|la cual',
  joints: 'en|de|del|para|con|y|a|un|una|el|la|los|las|descuento|ahorra|hasta|por|al|desde',
  labels: {
    mustNot:
      'no poner|nada de(?=\\s?[:：])|lo que no(?=\\s?[:：])|no (?:decir|mencionar|usar|incluir|utilizar)|evitar|prohibid[oa]s?|qué no|restricciones|no debe (?:decir|incluir)|exclusiones',
    headline: 'frase principal|titular|título|headline|eslogan|lema|claim|encabezado',
    body: 'texto|cuerpo|bajada|descripción|subtítulo',
    action: 'call[- ]to[- ]action|cta|bot[oó]n|llamad[oa] a la acción',
    product: 'productos?|servicio|qué (?:anunciamos|vendemos|promocionamos)|objeto|evento|tema',
    brand: 'marca|cliente|anunciante',
    offer:
      'oferta|promoción|promo|descuento|beneficios?|mensajes?(?: clave| principal)?|ventajas?|argumentos?|puntos? clave',
    audience: 'para quién|dirigido a|público(?: objetivo| meta)?|target|audiencia|a quién|segmento|destinatarios?',
    tone: 'ambiente|paleta|tono(?: de voz)?|estilo|look(?: ?(?:&|and|y) ?feel)?|imagen|imágenes|colores|diseño|estética|logo(?:tipo)?',
    must: 'tiene que (?:salir|aparecer|poner|decir)|incluir|obligatorios?|debe (?:incluir|decir|aparecer)|imprescindible|mandatorios?|indispensable',
    legal:
      'términos|pie(?=\\s?[:：])|asterisco|legal(?:es)?|textos? obligatorios?|aviso legal|texto legal|letra pequeña|condiciones|disclaimer|bases',
    language: 'idioma',
    code: 'código(?: promocional| de descuento)?',
    deadline: 'vigencia|validez|válido(?: hasta)?|fechas?(?: de la promo(?:ción)?)?|plazo|período|periodo',
    note: 'notas?|observaciones',
    context:
      'campaña|objetivos?|presupuesto|timing|entrega|deadline|formatos?|medidas|tamaños?|canales|contacto|contexto|antecedentes|brief|proyecto|asunto|de|para(?=\\s?:)|enlace|competencia|medios|piezas|entregables',
  },
  directive:
    '(?:debe|deben|tiene que|debería) (?:\\p{L}+ ){0,3}?(?:ser|sentirse|transmitir|parecer|verse|sonar|evocar|reflejar|tener|invitar)|que sea|público objetivo|el tono|call[- ]to[- ]action|cta|imágenes|fotos? de (?:stock|banco)|signos? de (?:exclamación|admiración)|manual de marca|el (?:anuncio|banner|cliente|botón|diseño|texto)|la (?:pieza|creatividad|campaña anterior|imagen)|adjunt\\p{L}*|el año pasado|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|presupuesto|urgente|primera versión|aprobación|tono (?:\\p{L}+),|clichés|jerga|tuteo|tutear',
  directiveStart:
    '(?:por favor,?\\s+|y\\s+)?(?:lo necesitamos|lo queremos|nos urge|(?:el|nuestro|su) público (?:es|son)|que se vea|usa[rd]?|usen|utilic\\p{L}*|utiliza[rd]?|mant[eé]n\\p{L}*|evita[rd]?|tono|estilo|colores|formato|adapta[rd]?|redimensiona[rd]?|que (?:sea|se|tenga|no|transmita|suene)|algo|nada de|sin (?:abusar|exagerar|emojis)|queremos|necesitamos|nos gustaría|me gustaría|pensamos|creo|creemos|hablad?|dirigíos|dirigid|haz que|procura|ojo|recuerd\\p{L}*|ten en cuenta|tened en cuenta|como (?:siempre|hablamos|comentamos)|os (?:paso|envío|mando)|les? (?:paso|envío|mando|comparto)|te (?:paso|mando|envío)|espero|cualquier duda|avísa\\p{L}*|imagen)',
  greeting:
    '(?:hola|buen(?:os|as) (?:días|tardes|noches)|buenas|estimad[oa]s?|querid[oa]s?|qué tal)(?: (?:equipo|a todos|todos|chicos|[A-Z]\\p{L}+))?(?:[,!.:]|\\s*$)',
  signOff:
    '(?:un (?:saludo|abrazo)|saludos|(?:muchas |mil )?gracias|atentamente|cordialmente|quedo (?:atent[oa]|pendiente)|hablamos)',
  include:
    '(?:por favor,? )?(?:hay que |no olvid\\p{L}* |recuerd\\p{L}* |es importante |importante )?(?:menciona[rd]?|menciones?|incluye|incluir|incluid|destaca[rd]?|resalta[rd]?|indica[rd]?|señala[rd]?|recalca[rd]?|añade|añadir|agrega[r]?)(?: también| que)?:?',
  includeTail: 'tienen? que (?:salir|aparecer|figurar|constar|estar)(?: [^.]*)?$',
  never:
    'no (?:\\p{L}+ )?(?:mencion\\p{L}*|us\\p{L}{1,4}|utilic\\p{L}*|utiliz\\p{L}*|habl\\p{L}*|inclu\\p{L}*|dig\\p{L}*|decir|nombr\\p{L}*|pon\\p{L}*|promet\\p{L}*|mostr\\p{L}*|muestr\\p{L}*|compar\\p{L}*|cit\\p{L}*|aparezc\\p{L}*|ca(?:er|igan))|sin (?:mencionar|nombrar|hablar|poner|usar|incluir|citar)|evita[rd]?|evit[eé]\\p{L}*|nada de (?:precios?|clichés|tecnicismos|anglicismos|jerga|competencia|mencionar|exclamaciones|fotos|promesas|emojis)|ningún (?:precio|competidor)',
  topics: {
    price: 'precios?(?! tachados?(?!\\p{L}))|tarifas?|costes?|costos?',
    discount: 'descuentos?|promociones',
    date: 'fechas?',
    competitor: 'competencia|competidores?',
  },
  legal:
    'bases y condiciones[^.]*|términos y condiciones[^.]*|sujeto a (?:disponibilidad|aprobación|condiciones)[^.]*|consult[ae] (?:las )?(?:condiciones|bases)[^.]*|tae[^.]*|beb(?:er|e|a) con moderación[^.]*|(?:disfruta|bebe) de un consumo responsable[^.]*|juega con responsabilidad[^.]*|jugar compulsivamente[^.]*|mayores de 18[^.]*|hasta agotar existencias|\\+18|prohibid[oa] (?:su|la) venta a menores[^.]*|come (?:sano|verduras)[^.]*|lea (?:las )?instrucciones[^.]*|imágenes ilustrativas|los resultados pueden variar[^.]*',
  event:
    '(?:rebajas(?: de (?:verano|invierno|primavera|otoño|enero))?|ofertas de (?:verano|navidad|invierno)|black friday|vuelta al (?:cole|colegio)|buen fin|hot sale|día (?:de la madre|del padre)|cyber ?(?:lunes|monday|days?)|puertas abiertas|gran inauguración)',
  deadline: `(?:durante todo (?:el mes de )?(?:${MONTHS})|(?:solo |válid[oa] |sólo )?(?:hasta|antes del?) (?:el )?(?:próximo )?(?:hoy|mañana|medianoche|fin de (?:mes|año)|(?:domingo|lunes|martes|miércoles|jueves|viernes|sábado)(?: \\d{1,2}(?: de (?:${MONTHS}))?)?|\\d{1,2}(?!\\d|\\s?[%€$])(?:(?: de |/)(?:${MONTHS}|\\d{1,2}))?(?: (?:de |del )?20\\d\\d)?|agotar stock|fin(?:al(?:es)?)? de (?:${MONTHS}))|este fin de semana|s[oó]lo hoy|del \\d{1,2}(?: de (?:${MONTHS}))? al \\d{1,2} de (?:${MONTHS})|(?:desde|a partir d)el \\d{1,2} de (?:${MONTHS})|el (?:próximo )?(?:(?:sábado|domingo|lunes|martes|miércoles|jueves|viernes) )?\\d{1,2} de (?:${MONTHS}))`,
  offers:
    '(?:hasta (?:un )?|un )?\\d{1,3} ?(?:%|€|euros|pesos) (?:de |dto\\.?|menos|off)(?:descuento|dto|rebaja)?|[2-5] ?[x×] ?[1-4](?!\\p{N})|segunda unidad[^,.;]{0,24}|\\d{1,2} (?:meses|cuotas|pagos) sin (?:intereses|recargo)|(?:primer[ao]?) (?:\\p{L}+ ){1,2}gratis|mitad de precio',
  gains:
    'gratis|gratuit[oa]s?|regalo|de regalo|sin (?:costes?|costos?|matrícula|gastos?(?: de envío)?|comisiones|compromiso|permanencia|intereses|cuota|letra)|cashback|bono|bonificación|descuento|incluid[oa]s?|prueba|garantía|ahorra\\p{L}*|reembolso',
  sale: {
    saving: '(?:ahorrar?|ahorre|descuentos? del?|rebajas? del?) +(?:hasta +)?(?:un +)?',
    onSale: 'descuentos?|rebajas|rebajad[oa]s?|ofertas?',
    reduces: 'en|sobre|menos|de rebaja|hasta',
    off: 'de descuento|dto|menos',
    upTo: 'hasta(?: un)?',
    percentOff: (percent, upTo) => `${upTo ? 'Hasta ' : ''}${percent} % de descuento`,
    amountOff: (amount, upTo) => `${upTo ? 'Hasta ' : ''}${amount} de descuento`,
  },
  code: '(?:con |usando |usa )?(?:el )?(?:código|cupón)(?: promocional| de descuento)?:? [«"“]?(?<code>[A-Z0-9][A-Z0-9_-]{2,19})[»"”]?',
  address: (text) =>
    text
      .replace(/(?<=(?<!\p{L})si (?:se )?\p{L}{2,14}[aeá])n(?!\p{L})/giu, 's')
      .replace(/(?<!\p{L})si se (?=\p{L}+s(?!\p{L}))/giu, 'si te '),
  on: (offer, subject) => `${subject}: ${lowerFirst(offer)}`,
  codeLine: (code) => `Código: ${code}`,
  actions: {
    shop: ['Comprar ahora', 'Comprar'],
    book: ['Reservar'],
    reserve: ['Reservar mesa', 'Reservar'],
    order: ['Pedir ahora', 'Pedir'],
    join: ['Inscríbete', 'Únete'],
    download: ['Descargar'],
    subscribe: ['Suscribirse'],
    try: ['Prueba gratis', 'Probar'],
    quote: ['Pide presupuesto', 'Cotizar'],
    donate: ['Donar ahora', 'Donar'],
    drive: ['Reserva tu prueba', 'Probar'],
    apply: ['Solicítalo ya', 'Solicitar'],
    visit: ['Planea tu visita', 'Visítanos'],
    watch: ['Ver ahora', 'Ver'],
    learn: ['Más información', 'Ver más'],
  },
  signs: {
    drive: 'prueba de (?:conducción|manejo)',
    donate: 'dona\\p{L}*|donación|donativos?',
    apply: 'empleos?|vacantes?|postúl\\p{L}*|candidatos?|trabaja con',
    quote: 'seguros?|hipoteca|presupuesto gratis|cotiza\\p{L}*|préstamos?|crédito',
    reserve: 'restaurante|mesa',
    book: 'reserv\\p{L}*|vuelos?|hotel(?:es)?|escapadas?|viajes?|cruceros?|citas?|spa',
    subscribe: 'suscr\\p{L}*|boletín|newsletter',
    join: 'inscri\\p{L}*|regístr\\p{L}*|cursos?|clases?|taller|webinar|matrícula',
    try: 'prueba gratis|software|plataforma|demo',
    download: 'descarg\\p{L}*|app|aplicación',
    order: 'comida|pedidos?|a domicilio|pizza|menú',
    watch: 'tráiler|serie|película|temporada',
    visit: 'exposición|museo|feria|inauguración|visita\\p{L}*|puertas abiertas',
    shop: 'rebajas|descuentos?|compra\\p{L}*|ofertas?|tienda|zapat\\p{L}*|colección|café|envío gratis',
  },
  sponsored: 'Patrocinado',
};

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
