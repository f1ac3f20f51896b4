// Run with: npx atom-mq run --queue orders --clock manual -- java -jar junit-platform-console-standalone.jar execute -cp . -c OrdersTest
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrdersTest {
  private static final String MQ = System.getenv("ATOM_MQ_URL");
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private HttpResponse<String> ask(String method, String path, String body)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(MQ + path)).method(method, BodyPublishers.ofString(body));
    return http.send(request.build(), BodyHandlers.ofString());
  }

  /** Asks the mock broker itself; where it refuses, the test fails with its words. */
  private void control(String path, String body) throws IOException, InterruptedException {
    var answer = ask("POST", "/_control" + path, body);
    if (answer.statusCode() < 400) return;
    var detail = Pattern.compile("\"detail\":\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(answer.body());
    fail(detail.find() ? detail.group(1).translateEscapes() : answer.body());
  }

  /** The application: it sends an order once, whatever gets lost on the way. */
  private void sendOrder(String guid, String order) throws InterruptedException {
    for (int tries = 0; tries < 5; tries++) {
      try {
        if (ask("POST", "/queues/orders?guid=" + guid, order).statusCode() == 200) return;
      } catch (IOException lost) {
        // Tried again, with the same guid.
      }
    }
    throw new IllegalStateException("The order was not sent.");
  }

  @BeforeEach
  void freshBroker() throws Exception {
    control("/reset", "{\"seed\": true}");
  }

  @Test
  void anOrderArrivesOnceAlthoughItsAnswerWasLost() throws Exception {
    control("/faults", "{\"fault\": \"reset-after-commit\", \"query\": {\"guid\": \"order-1\"}, \"times\": 1}");
    sendOrder("order-1", "two teapots");
    control("/messages/expect", "{\"pattern\": {\"guid\": \"order-1\"}, \"count\": 1}");
    control("/verify", "{\"messages\": false}");
  }
}
