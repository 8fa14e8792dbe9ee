import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.tika.io.TikaInputStream;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.parser.AutoDetectParser;
import org.apache.tika.parser.ParseContext;
import org.apache.tika.parser.Parser;
import org.apache.tika.sax.BodyContentHandler;

/** Paths on standard input -> for each a line with the number of letters and digits that Tika finds, embedded files included. */
public class TikaLetters {
    private static final long SECONDS = 30;

    /** A handler keeps what was written before a parser failed. */
    private static long letters(Path path, AutoDetectParser parser, StringBuilder out) {
        BodyContentHandler handler = new BodyContentHandler(-1);
        ParseContext context = new ParseContext();
        context.set(Parser.class, parser);
        Metadata metadata = new Metadata();
        try (InputStream stream = TikaInputStream.get(path, metadata)) {
            parser.parse(stream, handler, metadata, context);
        } catch (Throwable fault) {
            out.append(fault.getClass().getSimpleName());
        }
        return handler.toString().codePoints().filter(Character::isLetterOrDigit).count();
    }

    public static void main(String[] arguments) throws Exception {
        AutoDetectParser parser = new AutoDetectParser();
        ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(null, task, "parser", 64L << 20));
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Path path = Path.of(line);
            StringBuilder fault = new StringBuilder();
            long found = 0;
            Future<Long> future = executor.submit(() -> letters(path, parser, fault));
            try {
                found = future.get(SECONDS, TimeUnit.SECONDS);
            } catch (Exception late) {
                System.out.println("0\tTimeout");
                System.exit(1);  // a thread that runs on would slow down all that follows; whoever started this starts it again
            }
            System.out.println(found + "\t" + fault);
        }
        System.exit(0);
    }
}
